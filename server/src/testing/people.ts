import type { Role } from '../lib/access.ts'
import { newId } from '../lib/ids.ts'
import type { TestApp } from './test-app.ts'

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
  if (added.status !== 201) throw new Error(`no ${role} was added: ${added.text}`)
  return withToken(t, orgId, person)
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
