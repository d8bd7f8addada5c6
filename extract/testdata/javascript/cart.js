// A cart.
import { round, floor as down } from "./math.js";
export * from "./types.js";
const fs = require("fs");

export const LIMIT = 10;
export let counter = 0;
const api = {
  methodShort() { return 1 },
  propArrow: () => 2,
  nested: { deepFn: function () { return 3 } },
};

/**
 * Adds an item.
 * @param {string} item
 */
export async function addItem(item, { quantity = 1 } = {}) {
  const local = round(item.price);
  function inner() { return local }
  return inner();
}

function* walk() { yield 1 }

const remove = (item) => {
  return fs.unlinkSync(item);
};

export default class Cart extends Base.Cart {
  static count = 0;
  #secret = 1;
  onClick = () => this.render();
  constructor(items) { super(items); }
  // Number of items.
  get size() { return this.items.length }
  async save() { await fetch("/save"); }
}

Cart.prototype.clear = function () { this.items = [] };
module.exports.helper = function (a, b) { return a + b };
exports.VERSION = "1";
window.setup = () => new Cart([]);
const view = memo(function View() { return 1 });
