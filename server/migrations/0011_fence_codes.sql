-- A fenced write that finds no row fails the whole transaction with the code of its own fence, so that callers can
-- tell an outdated version from a link that is taken or a beneficiary that is gone. The function with one argument
-- remains for processes of the previous release.
create function assert_written(written bigint, code text) returns void
  language plpgsql as $$
begin
  if written = 0 then
    raise exception 'a fenced write found no row' using errcode = code;
  end if;
end $$;
