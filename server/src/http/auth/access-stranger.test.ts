import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { collectRoutes, namesInBody, queryOf, requestTo } from '../../../test/contract/every-route.ts'
import type { Place, RouteUnderTest } from '../../../test/contract/every-route.ts'
import { readTenantRows } from '../../../test/worlds/tenant-rows.ts'
import { memberOf, startTestApp, type CallAnswer, type Json } from '../../../test/app/test-app.ts'

// Started before the tests are defined, because each registered route becomes a test.
const t = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
afterAll(() => t.close())

const [victim, own] = t.seed.orgs.map((org) => org.org_id) as [string, string]
const rows = await readTenantRows(t.owner)
const routes = (await collectRoutes(t)).filter((route) => route.access.permission !== 'public')
const byName = routes.map((route) => [route.name, route] as const)

/** A part of a request that may name a resource of an organisation. */
interface Slot {
  place: Place
  name: string
}

/** A person may belong to several organisations, so adding one by their subject is allowed. */
const namesAPerson = [
  'POST /v1/organizations/:org_id/members body user_id',
  'POST /v1/organizations body user_id',
]

/** Fields that are only passed through to the caller's own endpoints. */
const passedThrough = ['POST /v1/public/webhooks/notify body transaction_id']

/** A payment within one currency, as the samples are, has no rate, so an initiation ignores the id of one. */
const ignored = ['POST /v1/payments-init/preview body org_rate_id']

/** A filter by an unknown id returns an empty list, which is correct. */
const isFilter = (route: RouteUnderTest, { place, name }: Slot): boolean =>
  (place === 'query' && name !== 'org_id') || filtersInBody.includes(`${route.name} ${name}`)
const filtersInBody = ['POST /v1/public/webhooks/dead-letters/replay webhook_id']

const slotsOf = (route: RouteUnderTest): Slot[] =>
  [
    ...route.pathNames.filter((name) => name.endsWith('_id')).map((name): Slot => ({ place: 'path', name })),
    ...queryOf(route)
      .filter(({ name }) => rows.isKey(name))
      .map(({ name }): Slot => ({ place: 'query', name })),
    ...namesInBody(t, route)
      .filter((name) => rows.isKey(name))
      .map((name): Slot => ({ place: 'body', name })),
  ].filter(
    ({ place, name }) =>
      ![...namesAPerson, ...passedThrough, ...ignored].includes(`${route.name} ${place} ${name}`),
  )

/** The victim's ids by column name: one for every id that a route accepts. */
const victims = new Map<string, string | undefined>()
for (const route of routes)
  for (const { name } of slotsOf(route))
    if (!victims.has(name)) victims.set(name, await rows.ensure(victim, name))
const canaries = await rows.canaries(victim, own)
const anyId = await rows.everyKey(victim)

const ownAdmin = memberOf(t.seed.orgs[1], 'org-admin')
const strangers: readonly (readonly [string, string])[] = [
  ['org-admin', ownAdmin.api_key],
  ['staff', memberOf(t.seed.orgs[1], 'staff').api_key],
  ['org-admin with a token', await t.identity.sign({ sub: ownAdmin.user_id, org_id: own })],
]

/** If no column has the name (`transaction_id` is a payment_id), each of the victim's ids is tried. */
function victimsIds(route: RouteUnderTest, name: string): string[] {
  const id = victims.get(name)
  const ids = id === undefined ? anyId : [id]
  if (ids.length > 0) return ids
  throw new Error(
    `${route.name}: the victim has no ${name}. Seed a row with org_id and ${name} for ${t.seed.orgs[0]?.name}, in stack/src/seeds/seed.ts.`,
  )
}

/** Two values of each enum are tried, because access may depend on the value. */
const choices = ['first', 'last'] as const

/** Which of the victim's ids are used and where; everything else is the stranger's own. */
type Aim = readonly (Slot & { id: string })[]

/** All slots together and each alone, because a check of one id may hide a missing check of another. */
function aimsAt(route: RouteUnderTest): Aim[] {
  const slots = slotsOf(route).map((slot) => victimsIds(route, slot.name).map((id) => ({ ...slot, id })))
  const together = slots.length > 1 ? [slots.flatMap((candidates) => candidates.slice(0, 1))] : []
  return [...together, ...slots.flat().map((target) => [target])]
}

interface Attack {
  aim: Aim
  answer: CallAnswer
}

async function valuesOf(route: RouteUnderTest, aim: Aim): Promise<Map<string, string>> {
  const values = new Map(aim.map(({ place, name, id }) => [`${place} ${name}`, id]))
  for (const { place, name } of slotsOf(route)) {
    if (place === 'query' || values.has(`${place} ${name}`)) continue
    const ownId = await rows.find(own, name)
    if (ownId !== undefined || place === 'path') values.set(`${place} ${name}`, ownId ?? newId())
  }
  return values
}

const repairsLimit = 5

/** A request that fails validation proves nothing, so missing fields are added and the request is repeated. */
async function attack(
  route: RouteUnderTest,
  credential: string,
  aim: Aim,
  ofEnum: (typeof choices)[number] = 'first',
): Promise<Attack> {
  const values = await valuesOf(route, aim)
  const valueFor = (place: Place, name: string): string | undefined => values.get(`${place} ${name}`)
  const wanted = new Set<string>()
  for (let repairs = 0; ; repairs++) {
    const { path, options } = requestTo(t, route, { valueFor, wanted, ofEnum })
    const answer = await t.call(route.method, path, { as: credential, unaudited: true, ...options })
    const before = wanted.size
    for (const name of complaintsOf({ aim, answer })) wanted.add(name)
    if (wanted.size === before || repairs === repairsLimit) return { aim, answer }
  }
}

/** The fields that failed validation, except those with the victim's ids. */
const complaintsOf = ({ aim, answer }: Attack): string[] =>
  (answer.status === 400 ? (answer.body.details ?? []) : [])
    .map(({ path }: Json) => path.split(/[.\s]+/).at(-1))
    .filter((field: string) => !aim.some(({ name }) => name === field))

function expectNothingOfTheVictim({ aim, answer }: Attack): void {
  const unasked = canaries.difference(new Set(aim.map(({ id }) => id)))
  expect([...unasked].filter((canary) => answer.text.includes(canary))).toEqual([])
  expect(answer.status, `${answer.text}`).not.toBe(500)
}

function expectRefused(route: RouteUnderTest, { aim, answer }: Attack): void {
  const foreign = aim.filter((slot) => !isFilter(route, slot))
  if (foreign.length > 0)
    expect(answer.status, `with a foreign ${JSON.stringify(foreign)}`).toBeGreaterThanOrEqual(400)
}

function expectOneWellFormed(route: RouteUnderTest, attacks: readonly Attack[]): void {
  const complaints = attacks.map(complaintsOf)
  if (complaints.some((fields) => fields.length === 0)) return
  expect(complaints, `${route.name} needs an example in its schema, so that a sample of it is valid`).toEqual(
    [],
  )
}

describe.each(strangers)('a stranger, %s of another organisation', (_who, credential) => {
  it.each(byName)('%s', async (_name, route) => {
    for (const aim of aimsAt(route)) {
      const attacks: Attack[] = []
      for (const choice of choices) attacks.push(await attack(route, credential, aim, choice))
      for (const result of attacks) {
        expectRefused(route, result)
        expectNothingOfTheVictim(result)
      }
      expectOneWellFormed(route, attacks)
    }
    if (route.pathNames.length === 0) expectNothingOfTheVictim(await attack(route, credential, []))
  })
})

describe('the attacks themselves', () => {
  it.each([
    'GET /v1/organizations/:org_id/members',
    'GET /v1/public/api-keys',
    'GET /v1/organizations/:org_id/members/:user_id',
  ])('would be detected: %s called by the victim shows canaries', async (name) => {
    expect(canaries.size).toBeGreaterThan(20)
    const route = routes.find((candidate) => candidate.name === name)!
    const admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
    const { answer } = await attack(route, admin, aimsAt(route)[0]!)
    expect(answer.status).toBe(200)
    expect([...canaries].some((canary) => answer.text.includes(canary))).toBe(true)
  })

  it('leave the data of the victim unchanged', async () => {
    // Requests of the victim are recorded a moment after them.
    await t.deps.requestLog.flush()
    const before = await rows.canaries(victim, own)
    const [[, credential]] = strangers as [(typeof strangers)[number]]
    for (const route of routes) for (const aim of aimsAt(route)) await attack(route, credential, aim)
    expect(await rows.canaries(victim, own)).toEqual(before)
  })

  it('make no exception for a route that does not exist', () => {
    for (const exception of namesAPerson)
      expect(routes.map((route) => `${route.name} body user_id`)).toContain(exception)
  })
})
