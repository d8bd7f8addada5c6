const whole = require("./a");
const { one, two: second } = require("./b");

function Box(size) {
  this.size = size;
}
Box.prototype.grow = function (by = one) {
  [1].forEach((n) => second(n, this.size, whole.key));
  return new Box(by);
};

module.exports = { Box, grown: second };
exports.again = whole;
