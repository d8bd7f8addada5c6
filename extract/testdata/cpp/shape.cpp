#include <vector>
namespace geo::flat {

/// A shape.
template <typename T>
class API_EXPORT Shape : public Base<T>, private ns::Counted {
public:
  explicit Shape(T side);
  virtual ~Shape() = default;
  T area() const { return side_ * side_; }
  static int count;
  bool operator==(const Shape& o) const;
  Shape& grow(int by);
private:
  enum class Kind { Square, Round = 2 };
  using List = std::vector<T>;
  T side_, *next_;
};

struct Final final { int x; };

}  // namespace geo::flat

template <class T> T geo::flat::Shape<T>::scale(int z) { return helper(z) + obj.call() + p->m() + ns::f<int>(1); }
Shape::~Shape() {}
std::ostream& operator<<(std::ostream& out, const Shape& s) { return out; }
extern "C" { void in_c(void); }
constexpr double kPi = 3.14;
auto twice = [](int x) { return 2 * x; };
