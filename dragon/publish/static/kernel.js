// A kernel in the browser: the module's memory, and arrays in it with the fields of their records.

const PAGE = 65536, ALIGNED = 16;
export const READ = {
  i1: "getInt8", u1: "getUint8", b1: "getUint8", i2: "getInt16", u2: "getUint16",
  i4: "getInt32", u4: "getUint32", i8: "getBigInt64", u8: "getBigUint64", f4: "getFloat32", f8: "getFloat64",
};

/** An array in the memory of a machine: elements by their index, in C order. */
class Held {
  constructor(machine, { name, shape, size, kind, fields = {} }, at) {
    Object.assign(this, { machine, name, shape: [...shape], size, kind, fields, at });
  }

  get length() {
    return this.shape.reduce((a, b) => a * b, 1);
  }

  get bytes() {
    return this.size * this.length;
  }

  /** A number of the element i, or of a field of the record i, the k-th of an array there; 64 bits become a double. */
  get(i, field, k = 0) {
    const [offset, kind] = field === undefined ? [0, this.kind] : this.fields[field];
    return Number(this.machine.view[READ[kind]](this.at + i * this.size + offset + k * Number(kind[1]), true));
  }

  /** A field of 64 bits as a BigInt. */
  whole(i, field) {
    return this.machine.view[READ.i8](this.at + i * this.size + this.fields[field][0], true);
  }

  set(i, field, value) {
    const [offset, kind] = field === undefined ? [0, this.kind] : this.fields[field];
    const given = kind[1] === "8" && kind[0] !== "f" ? BigInt(value) : value;
    this.machine.view[READ[kind].replace("get", "set")](this.at + i * this.size + offset, given, true);
  }

  /** Writes fields of the first record. */
  put(fields) {
    for (const [name, value] of Object.entries(fields)) this.set(0, name, value);
  }

  /** The bytes of the array. */
  raw(from = 0, size = this.bytes) {
    return new Uint8Array(this.machine.memory.buffer, this.at + from, size);
  }
}

const used = new WeakMap(); // a machine by module that is free again: memory that was touched before is quicker than new memory

/** A module that is loaded, with a memory of its own. */
export class Machine {
  /** A machine as if new; the caller gives it back. */
  static lent(module, about) {
    const found = used.get(module);
    used.delete(module);
    return found ? found.emptied(about) : new Machine(module, about);
  }

  constructor(module, { end, failures }) {
    this.module = module;
    this.exports = new WebAssembly.Instance(module, { env: Math }).exports; // what rules and kernels call of it: log, exp, pow ...
    this.memory = this.exports.memory;
    this.failures = failures;
    this.free = end;
    this.out = this.space(64);
  }

  emptied({ end }) {
    this.raw(end, this.free - end).fill(0);
    this.free = end;
    this.out = this.space(64);
    return this;
  }

  /** Frees the machine for another run; not after an error, which leaves its stack as it is. */
  giveBack() {
    if (!this.broken) used.set(this.module, this);
  }

  get view() {
    if (!this.seen || this.seen.buffer !== this.memory.buffer) this.seen = new DataView(this.memory.buffer);
    return this.seen;
  }

  /** The address of new bytes, which are zero. */
  space(bytes) {
    const at = Math.ceil(this.free / ALIGNED) * ALIGNED;
    this.room(at + bytes);
    this.free = at + bytes;
    return at;
  }

  room(end) {
    const pages = Math.ceil((end - this.memory.buffer.byteLength) / PAGE);
    if (pages <= 0) return;
    try {
      this.memory.grow(pages);
    } catch {
      throw new Error(`The browser gives this page no more memory: ${Math.ceil(end / 1e6)} MB are needed.`);
    }
  }

  /** Arrays by name, from their descriptions; those that may grow come last in memory. */
  arrays(described, growing = []) {
    const held = {};
    const last = (each) => growing.includes(each.name);
    for (const each of [...described.filter((one) => !last(one)), ...described.filter(last)]) {
      const made = new Held(this, each, 0);
      made.at = each.of ? held[each.of].at : this.space(made.bytes);
      if (each.fill) made.raw().fill(each.fill);
      if (each.data) made.raw().set(decoded(each.data));
      held[each.name] = made;
    }
    return Object.fromEntries(described.map(({ name }) => [name, held[name]]));
  }

  /** Makes the last axis of an array longer, and keeps the contents. */
  lengthen(array, length) {
    const rows = array.shape.slice(0, -1).reduce((a, b) => a * b, 1);
    const [before, after] = [array.size * array.shape.at(-1), array.size * length];
    if (rows === 1 && array.at + before === this.free) { // it is the last in memory
      this.room(array.at + after);
      this.free = array.at + after;
    } else {
      const at = this.space(rows * after);
      for (let row = 0; row < rows; row++) this.raw(at + row * after, before).set(this.raw(array.at + row * before, before));
      array.at = at;
    }
    array.shape[array.shape.length - 1] = length;
  }

  raw(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  /** The first value that a kernel returns; arguments are arrays, numbers, and objects of arrays. */
  call(name, ...given) {
    const flat = [];
    const add = (each) => {
      if (each instanceof Held) flat.push(each.at, ...each.shape.map(BigInt));
      else if (typeof each === "object") Object.values(each).forEach(add);
      else flat.push(BigInt(each));
    };
    given.forEach(add);
    this.broken = true;
    const status = this.exports[name](...flat, this.out);
    this.broken = false;
    if (status) throw new Error(`A rule of the game ended with an error: ${this.failures[Number(status) - 1]}`);
    return Number(this.view.getBigInt64(this.out, true));
  }
}

/** The bytes of a text in base64. */
export function decoded(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
