// Shares as people read them.

/** A share of 0 to 1 in percent; only nothing is 0 %, and only all of it is 100 %. */
export function percent(share, digits = 2) {
  const shown = (100 * share).toFixed(digits), least = 10 ** -digits;
  if (Number(shown) === 0 && share > 0) return `<${least.toFixed(digits)}\u00a0%`;
  if (Number(shown) === 100 && share < 1) return `>${(100 - least).toFixed(digits)}\u00a0%`;
  return `${shown}\u00a0%`;
}
