limit <- 10

# Mean of x.
mean_of <- function(x) {
  inner <- function(y) y
  sum(x) / length(x)
}

Counter <- R6Class("Counter",
  public = list(
    add = function(n) {
      n + 1
    }
  )
)
