import type { Role } from '../../src/lib/requests/access.ts'
import { newId } from '../../src/lib/ids.ts'
import type { CallAnswer, TestApp } from './test-app.ts'

export interface Person {
  userId: string
  email: string
  /** A JWT, accepted as `as` in a call. */
  token: string
}

export interface OpenedOrganization {
  orgId: string
  admin: Person
}

/** The body fields of a person, unique per call. */
export const personBody = (): { user_id: string; email: string; first_name: string; last_name: string } => {
  const userId = newId()
  return { user_id: userId, email: `${userId}@example.test`, first_name: 'Pat', last_name: 'Person' }
}

/** An organisation of the test's own, with one administrator. */
export async function openOrganization(t: TestApp, country = 'GB'): Promise<OpenedOrganization> {
  const admin = personBody()
  const body = { name: `Organisation ${admin.user_id}`, country, admin }
  const { body: answer } = await t.call('POST', '/v1/organizations', {
    as: t.seed.platformAdmin.api_key,
    body,
  })
  const orgId: string = answer.data.org_id
  return { orgId, admin: await withToken(t, orgId, admin) }
}

export async function addPerson(t: TestApp, orgId: string, role: Role): Promise<Person> {
  const person = personBody()
  const path = `/v1/organizations/${orgId}/members`
  const added = await t.call('POST', path, { as: t.seed.platformAdmin.api_key, body: { ...person, role } })
  if (added.status === 202) await approveChange(t, added)
  else if (added.status !== 201) throw new Error(`no ${role} was added: ${added.text}`)
  return withToken(t, orgId, person)
}

/** A second operator, who is not related to the first one any more. */
export async function addOperator(t: TestApp): Promise<Person> {
  const { org_id: orgId } = t.seed.platformAdmin
  const operator = await addPerson(t, orgId, 'platform-admin')
  await t.owner.query(
    `update empowerments set created_at = created_at - interval '31 days' where org_id = $1 and user_id = $2`,
    [orgId, operator.userId],
  )
  return operator
}

/** Makes a change that waits for a second person: by the operator, or by an administrator if the operator asked for it. */
export async function approveChange(t: TestApp, held: CallAnswer): Promise<CallAnswer> {
  if (held.status !== 202) return held
  const { org_id, request_id, requested_by } = held.body.data
  const { rows } = await t.owner.query<{ user_id: string }>(
    `select user_id from members where org_id = $1 and role = 'org-admin' and user_id <> $2 order by created_at`,
    [org_id, requested_by],
  )
  const isOperators = requested_by === t.seed.platformAdmin.user_id
  const as = isOperators
    ? await t.identity.sign({ sub: rows[0]?.user_id ?? '', org_id })
    : t.seed.platformAdmin.api_key
  const path = `/v1/organizations/${org_id}/change-requests/${request_id}/approve`
  const approved = await t.call('POST', path, { as, body: {} })
  if (approved.status !== 200) throw new Error(`the change was not approved: ${approved.text}`)
  return approved
}

const withToken = async (
  t: TestApp,
  orgId: string,
  person: { user_id: string; email: string },
): Promise<Person> => ({
  userId: person.user_id,
  email: person.email,
  token: await t.identity.sign({ sub: person.user_id, org_id: orgId }),
})
