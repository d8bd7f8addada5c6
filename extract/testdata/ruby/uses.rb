require_relative "store"

class Box < Lib::Base
  include Lib::Named

  def initialize(size, store: Store.new)
    @size = size
    @cache ||= Cache.new(store)
  end

  def grow(by)
    found = @cache.find(by)&.first
    found.each { |item| item.show size }
    Lib::Store.build(found)
  rescue Lib::Missing => e
    e.report
  end
end
