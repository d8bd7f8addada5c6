local json = require("cjson")
local util = require "pool.util"

-- The most workers that a pool starts.
local MAX_WORKERS = 8

local M = {}
local Pool = setmetatable({}, { __index = M })

M.version = "2.1"
M.defaults = {
  size = 4,
  on_exit = function(code) print(code) end,
}

--- Makes a pool.
-- @param size number of workers
function M.new(size)
  local self = { size = size or MAX_WORKERS }
  return setmetatable(self, Pool)
end

-- Runs a job.
function Pool:run(job, ...)
  local function retry(n)
    return self:submit(job, n)
  end
  local ok, err = pcall(job, ...)
  if not ok then
    util.log.warn(err)
    return retry(3)
  end
  return json.encode(ok)
end

M.close = function(pool)
  pool.closed = true
end

local function drain(queue)
  for i = #queue, 1, -1 do
    table.remove(queue, i)
  end
end

function global_helper() return drain({}) end

local handler = function(event)
  return event.name
end

function M.stats.cpu.total() return 1 end

M["quoted"] = function() end

return M
