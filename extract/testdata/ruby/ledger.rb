# frozen_string_literal: true

require "json"
require_relative "money/rounding"

# Books and the accounts that they hold.
module Ledger
  VERSION = "1.4.0"
  DEFAULTS = {
    currency: "EUR",
    scale: 2
  }.freeze

  # Raised when the two sides of an entry differ.
  class Unbalanced < StandardError; end

  Money = Struct.new(:amount, :currency) do
    # Adds two amounts of one currency.
    def +(other)
      Money.new(amount + other.amount, currency)
    end
  end

  # One account with its postings.
  class Account
    include Comparable
    extend Ledger::Naming

    attr_reader :number, :owner
    attr_accessor :limit

    # Opens an account.
    #
    # @param number [String]
    def initialize(number, owner:, limit: 0)
      @number = number
      @owner = owner
      @limit = limit
      @postings = []
    end

    def self.load(path)
      rows = JSON.parse(File.read(path))
      rows.map { |row| new(row["number"], owner: row["owner"]) }
    end

    class << self
      # Forgets every account.
      def reset!
        registry.clear
      end
    end

    def balance
      @postings.sum(&:amount)
    end

    def <=>(other) = number <=> other.number

    def overdrawn?
      balance.negative? && !limit_reached?
    end

    define_method(:to_key) { number.to_sym }

    alias_method :id, :number
    alias saldo balance

    private

    # Posts without a check.
    def post(amount)
      @postings << amount
    end

    def limit_reached? = balance < -limit

    protected

    def postings
      @postings
    end
  end

  class Savings::Plan < Account
    def interest(rate)
      super_rate = Rounding.half_even(rate)
      balance * super_rate
    end

    private def secret
      42
    end
  end

  module_function

  def open(name)
    Account.new(name, owner: nil)
  end
end

def helper(value)
  puts value
end
