// Sets the chosen colours before anything is drawn; without a choice the system's are taken.
const theme = localStorage.getItem("dragon-theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
