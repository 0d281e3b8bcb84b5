"""What must happen to a job in Redis at one stroke, in Redis's own language.

Of a job with the id ID: `kibitz-job:ID` its record (a hash), `...:input` what is to be done, `...:holders`
who wants it (a set), `...:lease` which worker does it (expires unless it is renewed). `kibitz-jobs:open`
holds the open jobs by the time at which they were last heard of; `kibitz-jobs:ended` counts the others.
`kibitz-jobs:of:HOLDER` names the jobs that a caller has wanted of late, for a week: whether they are wanted
still, their own holders say.
"""

from __future__ import annotations

from typing import Final

# keys: record, input, holders, open, held
# values: id, holder, most open, most of one holder (0: any number), now, input, then fields of the record
# 1: entered, 0: it was there, -1: there are too many, -2: too many of this holder. A result that Redis had no
# room for is made anew.
SUBMIT: Final = """
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'done' then
  local made = redis.call('HMGET', KEYS[1], 'token', 'pieces')
  local there = redis.call('LLEN', KEYS[1] .. ':result:' .. (made[1] or ''))
  if there == tonumber(made[2] or -1) then return 0 end
end
local held = 0
for _, id in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  if redis.call('SISMEMBER', 'kibitz-job:' .. id .. ':holders', ARGV[2]) == 1 then
    held = held + 1
  else
    redis.call('SREM', KEYS[5], id)
  end
end
if state == 'queued' or state == 'running' then
  redis.call('SADD', KEYS[3], ARGV[2])
  redis.call('SADD', KEYS[5], ARGV[1])
  redis.call('EXPIRE', KEYS[5], 604800)
  return 0
end
local most = tonumber(ARGV[4])
if most > 0 and held >= most then return -2 end
if redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[3]) then return -1 end
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('HSET', KEYS[1], 'state', 'queued', 'submitted_at', ARGV[5], 'done', 0, unpack(ARGV, 7))
redis.call('SET', KEYS[2], ARGV[6])
redis.call('SADD', KEYS[3], ARGV[2])
redis.call('SADD', KEYS[5], ARGV[1])
redis.call('EXPIRE', KEYS[5], 604800)
redis.call('ZADD', KEYS[4], ARGV[5], ARGV[1])
return 1
"""

# keys: record, lease, open    values: id, token, lease in ms, now
# which attempt this is; 0: it is not to be done, -1: somebody holds its lease
BEGIN: Final = """
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'queued' and state ~= 'running' then return 0 end
if not redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return -1 end
redis.call('HSET', KEYS[1], 'state', 'running', 'started_at', ARGV[4], 'done', 0)
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
return redis.call('HINCRBY', KEYS[1], 'attempts', 1)
"""

# keys: record, lease, open    values: id, token, lease in ms, now, steps done
# 1: go on, 0: stop at once
RENEW: Final = """
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then
  redis.call('DEL', KEYS[2])
  return 0
end
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
redis.call('HSET', KEYS[1], 'done', ARGV[5])
return 1
"""

# keys: record, lease, open, input, holders, result, ended
# values: id, token, now, life, state, steps done, problem, pieces of the result
FINISH: Final = """
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then
  redis.call('DEL', KEYS[2])
  return 0
end
redis.call('HSET', KEYS[1], 'state', ARGV[5], 'finished_at', ARGV[3], 'done', ARGV[6],
           'problem', ARGV[7], 'token', ARGV[2], 'pieces', ARGV[8])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[6], ARGV[4])
redis.call('DEL', KEYS[2], KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HINCRBY', KEYS[7], ARGV[5], 1)
return 1
"""

# keys: record, input, holders, open, ended, held    values: id, holder, now, life
# 1: a reference was given up. The lease stays: whoever holds it gives it back on seeing the state.
LET_GO: Final = """
local state = redis.call('HGET', KEYS[1], 'state')
local held = redis.call('SREM', KEYS[3], ARGV[2])
redis.call('SREM', KEYS[6], ARGV[1])
if held == 1 and (state == 'queued' or state == 'running') and redis.call('SCARD', KEYS[3]) == 0 then
  redis.call('HSET', KEYS[1], 'state', 'cancelled', 'finished_at', ARGV[3])
  redis.call('EXPIRE', KEYS[1], ARGV[4])
  redis.call('DEL', KEYS[2])
  redis.call('ZREM', KEYS[4], ARGV[1])
  redis.call('HINCRBY', KEYS[5], 'cancelled', 1)
end
return held
"""

# keys: record, lease, open    values: id, now, heard of before, whether it stands in the queue (1 or 0)
# 1: to be delivered again
OVERDUE: Final = """
local heard = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not heard or tonumber(heard) > tonumber(ARGV[3]) then return 0 end
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'queued' and state ~= 'running' then
  redis.call('ZREM', KEYS[3], ARGV[1])
  return 0
end
if ARGV[4] == '1' then return 0 end
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return 1
"""
