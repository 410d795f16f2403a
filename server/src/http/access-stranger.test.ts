import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { collectRoutes, namesInBody, queryOf, requestTo } from '../testing/every-route.ts'
import type { Place, RouteUnderTest } from '../testing/every-route.ts'
import { readTenantRows } from '../testing/tenant-rows.ts'
import { memberOf, startTestApp, type CallAnswer, type Json } from '../testing/test-app.ts'

// Before the tests are named: each route is a test of its own, also one that is added later.
const t = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
afterAll(() => t.close())

const [victim, own] = t.seed.orgs.map((org) => org.org_id) as [string, string]
const rows = await readTenantRows(t.owner)
const routes = (await collectRoutes(t)).filter((route) => route.access.permission !== 'public')
const byName = routes.map((route) => [route.name, route] as const)

/** Where a request may name something that belongs to an organisation. */
interface Slot {
  place: Place
  name: string
}

/** A person may belong to several organisations: adding one by the subject of the identity provider is no trespass. */
const namesAPerson = [
  'POST /v1/organizations/:org_id/members body user_id',
  'POST /v1/organizations body user_id',
]

const slotsOf = (route: RouteUnderTest): Slot[] =>
  [
    ...route.pathNames.filter((name) => name.endsWith('_id')).map((name): Slot => ({ place: 'path', name })),
    ...queryOf(route)
      .filter(({ name }) => rows.isKey(name))
      .map(({ name }): Slot => ({ place: 'query', name })),
    ...namesInBody(t, route)
      .filter((name) => rows.isKey(name))
      .map((name): Slot => ({ place: 'body', name })),
  ].filter(({ place, name }) => !namesAPerson.includes(`${route.name} ${place} ${name}`))

/** What the victim has, by column: every id that some route takes, in a row of its own. */
const victims = new Map<string, string | undefined>()
for (const route of routes)
  for (const { name } of slotsOf(route))
    if (!victims.has(name)) victims.set(name, await rows.ensure(victim, name))
const canaries = await rows.canaries(victim, own)

const ownAdmin = memberOf(t.seed.orgs[1], 'org-admin')
const strangers: readonly (readonly [string, string])[] = [
  ['org-admin', ownAdmin.api_key],
  ['staff', memberOf(t.seed.orgs[1], 'staff').api_key],
  ['org-admin with a token', await t.identity.sign({ sub: ownAdmin.user_id, org_id: own })],
]

function victimsId(route: RouteUnderTest, name: string): string {
  const id = victims.get(name)
  if (id !== undefined) return id
  throw new Error(
    `${route.name}: there is no ${name} to attack. Seed a row with org_id and ${name} for ${t.seed.orgs[0]?.name}, in dev/src/seed.ts.`,
  )
}

/** Another value of each enum may be the one that gets through. */
const choices = ['first', 'last'] as const

interface Aim {
  /** Where the victim's ids go; the stranger's own are everywhere else. */
  slots: readonly Slot[]
  ofEnum: (typeof choices)[number]
}

interface Attack {
  answer: CallAnswer
  carried: Set<string>
}

async function valuesOf(route: RouteUnderTest, slots: readonly Slot[]): Promise<Map<string, string>> {
  const values = new Map(slots.map(({ place, name }) => [`${place} ${name}`, victimsId(route, name)]))
  for (const { place, name } of slotsOf(route)) {
    if (place === 'query' || values.has(`${place} ${name}`)) continue
    const ownId = await rows.find(own, name)
    if (ownId !== undefined || place === 'path') values.set(`${place} ${name}`, ownId ?? newId())
  }
  return values
}

const repairsLimit = 5

/** An attack that stumbles over its own body proves nothing: what the route asks for is added, and tried again. */
async function attack(route: RouteUnderTest, credential: string, { slots, ofEnum }: Aim): Promise<Attack> {
  const values = await valuesOf(route, slots)
  const carried = new Set(slots.map(({ name }) => victimsId(route, name)))
  const wanted = new Set<string>()
  for (let repairs = 0; ; repairs++) {
    const valueFor = (place: Place, name: string): string | undefined => values.get(`${place} ${name}`)
    const { path, options } = requestTo(t, route, { valueFor, wanted, ofEnum })
    const answer = await t.call(route.method, path, { as: credential, unaudited: true, ...options })
    const complaints: Json[] = answer.status === 400 ? (answer.body.details ?? []) : []
    const before = wanted.size
    for (const { path: place } of complaints) for (const name of place.split('.')) wanted.add(name)
    if (wanted.size === before || repairs === repairsLimit) return { answer, carried }
  }
}

function expectNothingOfTheVictim({ answer, carried }: Attack): void {
  expect([...canaries.difference(carried)].filter((canary) => answer.text.includes(canary))).toEqual([])
}

function expectWellFormed(route: RouteUnderTest, { answer }: Attack): void {
  const problem = answer.status === 400 && answer.body.details ? JSON.stringify(answer.body.details) : ''
  expect(problem, `the sampled request to ${route.name} is not valid: give its schema an example`).toBe('')
  expect(answer.status, `${answer.text}`).not.toBe(500)
}

const describeSlots = (slots: readonly Slot[]): string =>
  slots.map(({ place, name }) => `${place} ${name}`).join(', ')

describe.each(strangers)('a stranger, %s of another organisation', (_who, credential) => {
  it.each(byName)('%s', async (_name, route) => {
    const slots = slotsOf(route)
    const targets = slots.length > 1 ? [slots, ...slots.map((slot) => [slot])] : slots.map((slot) => [slot])
    const aims = targets.flatMap((target) => choices.map((ofEnum): Aim => ({ slots: target, ofEnum })))
    for (const aim of aims) {
      const result = await attack(route, credential, aim)
      expectWellFormed(route, result)
      // A filter by something that is not there finds nothing, which is an answer like any other.
      if (aim.slots.some(({ place, name }) => place !== 'query' || name === 'org_id'))
        expect(result.answer.status, `with a foreign ${describeSlots(aim.slots)}`).toBeGreaterThanOrEqual(400)
      expectNothingOfTheVictim(result)
    }
    if (route.pathNames.length > 0) return
    const result = await attack(route, credential, { slots: [], ofEnum: 'first' })
    expectWellFormed(route, result)
    expectNothingOfTheVictim(result)
  })
})

describe('the attacks themselves', () => {
  it.each([
    'GET /v1/organizations/:org_id/members',
    'GET /v1/public/api-keys',
    'GET /v1/organizations/:org_id/members/:user_id',
  ])('would be seen: %s by the victim shows canaries', async (name) => {
    expect(canaries.size).toBeGreaterThan(20)
    const route = routes.find((candidate) => candidate.name === name)!
    const admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
    const { answer } = await attack(route, admin, { slots: slotsOf(route), ofEnum: 'first' })
    expect(answer.status).toBe(200)
    expect([...canaries].some((canary) => answer.text.includes(canary))).toBe(true)
  })

  it('leave the victim as it was', async () => {
    const before = await rows.canaries(victim, own)
    const [[, credential]] = strangers as [(typeof strangers)[number]]
    for (const route of routes)
      for (const slot of slotsOf(route)) await attack(route, credential, { slots: [slot], ofEnum: 'last' })
    expect(await rows.canaries(victim, own)).toEqual(before)
  })

  it('make no exception for a route that is gone', () => {
    for (const exception of namesAPerson)
      expect(routes.map((route) => `${route.name} body user_id`)).toContain(exception)
  })
})
