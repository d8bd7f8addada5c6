import type { Row } from './row';
import * as util from "./util";

/** Options of a store. */
export interface Options extends Base, Other<Row> {
  readonly path: string;
  open?(mode: number): void;
}

export type Key = string | number;

export enum Mode { Read = 1, Write }

declare const VERSION: string;

namespace Inner {
  export function hidden(): void {}
}

function overload(a: string): string;
function overload(a: number): string;
function overload(a: any): string { return String(a); }

@Injectable()
export abstract class Store<T extends Row> extends Root<T> implements Options, util.Closer {
  private rows: Map<Key, T> = new Map();
  @Input() name: string;
  constructor(private readonly path: string) { super(); }
  protected abstract load(key: Key): Promise<T>;
  static create<T>(o: Options): Store<T> { return util.make<T>(o); }
  handler = async (e: Event): Promise<void> => { this.load(e.key) };
}

export const pick = <T,>(items: T[], at: number): T => items[at];
