import Default, { type A, B as C } from "./a";
import * as ns from "./b";
export { a as b } from "./c";
export * from "./d";
export * as all from "./e";
import old = require("./f");

export default class Box<T extends ns.Item> extends C<T> {
  #size = new ns.Counter();
  constructor(private readonly db: Db, list: A[], { name }: A) {
    super(db);
    this.list = list;
    list.map((item) => item.show(name));
    this.#size?.grow().again();
  }
  find(): Promise<T> {
    return this.db.query<T>("x").then((row) => row.first);
  }
  lazy = async () => (await import("./g")).run();
  other() {
    return Default.make();
  }
}

const { left, right: other } = Default.pair();
for (const part of left.parts) part.show(other as ns.Item);
export { left, other as right };
