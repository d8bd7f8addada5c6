package a.b;
import java.util.List;
import static a.B.*;
@Anno(x=1)
public abstract class Foo<T> extends Bar<T> implements Baz, a.Qux {
  private static final int X = 1, Y = 2;
  /** doc */
  @Override
  public <K> List<K> get(int a) throws E { return new Foo(a).bar(); }
  Foo(int x) { super(x); this.y(); }
  enum E { A, B(1) { void m() {} }; int z; }
  @interface Ann { int v() default 1; }
  abstract void abs();
  interface I extends J, K { int C = 1; default void d() {} }
  record R(int a, String b) implements S { R { } }
  Runnable r = () -> {};
}
