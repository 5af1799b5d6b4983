// The suits of the Hungarian deck: paths in a square of 24 units. After "export default" comes JSON:
// the package draws with the same shapes (dragon_ulti.svg). "kind" is how a path is filled: cap, lighter;
// vein, a line in the colour of the card; slit, filled with that colour.
export default {
  "H": [
    {"d": "M12 21.3C5.2 15.8 2.3 12.3 2.3 8.3a5 5 0 0 1 9.7-1.8 5 5 0 0 1 9.7 1.8c0 4-2.9 7.5-9.7 13z"}
  ],
  "L": [
    {"d": "M12 1.8c4.7 3.6 8 7.2 8 11 0 3.2-2.4 5.2-5 5-.9 0-1.7-.4-2.3-1l.4 5.4h-2.2l.4-5.4c-.6.6-1.4 1-2.3 1-2.6.2-5-1.8-5-5 0-3.8 3.3-7.4 8-11z"},
    {"d": "M12 6v9M12 11.5 8.6 9M12 11.5 15.4 9", "kind": "vein"}
  ],
  "A": [
    {"d": "M6.6 12.6h10.8c.2 4.6-2.6 7.8-5.4 9.6-2.8-1.8-5.6-5-5.4-9.6z"},
    {"d": "M11 4.4V1.8h2v2.6c4.2.2 7 2.4 7 5.6 0 .9-.6 1.5-1.4 1.5H5.4C4.6 11.5 4 10.9 4 10c0-3.2 2.8-5.4 7-5.6z", "kind": "cap"}
  ],
  "B": [
    {"d": "M12 5.2a8.3 8.3 0 1 1 0 16.6 8.3 8.3 0 0 1 0-16.6z"},
    {"d": "M10.2 6.5a1.9 2.5 0 1 1 3.6 0z"},
    {"d": "M4.2 12.1h15.6M4.2 14.4h15.6M12 14.4v4.3", "kind": "vein"},
    {"d": "M10.5 18.5a1.5 1.5 0 1 1 3 0a1.5 1.5 0 1 1-3 0z", "kind": "slit"}
  ]
};
