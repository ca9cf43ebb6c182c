/**
 * The sliding log of one key, as MemoryLimits has it: a list of the instants of its hits, oldest first, in microseconds by
 * the clock of Redis, which all processes share. An instant takes ten bytes.
 *
 * KEYS: the key. ARGV: seconds of the window, limit, 1 to count a hit or 0 to look, how many hits a process has let
 * through before this one.
 * Returns whether a hit is allowed (0 or 1), how many more are, and the seconds until the oldest leaves the window.
 */
export const HIT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000000
local limit = tonumber(ARGV[2])
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local used = redis.call('LLEN', KEYS[1])
local more = tonumber(ARGV[4])
local allowed = used + more < limit
if allowed and ARGV[3] == '1' then more = more + 1 end
if more > 0 then
  local instant = string.format('%.0f', now)
  for _ = 1, more do redis.call('RPUSH', KEYS[1], instant) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1] * 1000)
  used = used + more
  oldest = oldest or now
end
local wait = 0
if used > 0 then wait = math.ceil((tonumber(oldest) + window - now) / 1000000) end
return { allowed and 1 or 0, math.max(0, limit - used), math.max(0, wait) }
`
