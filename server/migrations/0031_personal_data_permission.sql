-- The permission account-numbers:reveal became personal-data:read, which also covers e-mail addresses. The former name
-- stays beside it, because the previous release still reads it.
update members set grants = array_append(grants, 'personal-data:read')
where 'account-numbers:reveal' = any (grants) and not 'personal-data:read' = any (grants);
update members set revocations = array_append(revocations, 'personal-data:read')
where 'account-numbers:reveal' = any (revocations) and not 'personal-data:read' = any (revocations);
update api_keys set scopes = array_append(scopes, 'personal-data:read')
where 'account-numbers:reveal' = any (scopes) and not 'personal-data:read' = any (scopes);
