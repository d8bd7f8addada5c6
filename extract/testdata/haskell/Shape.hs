{-# LANGUAGE LambdaCase #-}
module Data.Shape (Shape(..), area) where

import qualified Data.Map as Map

-- | A shape.
data Shape a
  = Circle a
  | Square { side :: a }
  deriving (Show)

newtype Wrapper = Wrapper { unwrap :: Int }

type Name = String

class HasArea s where
  -- | The area.
  area :: s -> Double
  area _ = 0

instance HasArea (Shape Double) where
  area (Circle r) = pi * r
  area (Square s) = s * s

-- | Sums the areas.
-- Of all shapes.
total :: [Shape Double] -> Double
total [] = 0
total (x:xs)
  | area x > 0 = area x + total xs
  | otherwise  = go xs
  where
    go :: [Shape Double] -> Double
    go = total

infixl 6 <+>
(<+>) :: Int -> Int -> Int
a <+> b = a + b

main = do
  print 1
  let x = 2
  print x
