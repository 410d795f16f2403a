import fc from 'fast-check'
import { hostileHeader, hostileJson, hostilePart } from './hostile-values.ts'
import type { Edit } from './json-text.ts'
import { paths, recipes } from './recipes.ts'
import type { Route } from './routes.ts'
import { idMark, valuesOf, type Resolve } from './schema-values.ts'

export type PartEdit = {
  readonly at: number
  readonly how: 'replace' | 'twice' | 'add'
  readonly text: string
}
export type HeaderEdit = {
  readonly name: string
  readonly how: 'replace' | 'drop' | 'twice'
  /** `{stranger}` is replaced by the credential of another actor. */
  readonly value: string
}

/** A request without what is known only when it is sent: ids, credentials, the sender's canary. */
export type Plan = {
  readonly route: Route
  readonly actor: number
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly idempotencyKey: string | undefined
  readonly bodyEdits: readonly Edit[]
  readonly partEdits: readonly PartEdit[]
  readonly headerEdits: readonly HeaderEdit[]
}

const bodyEdit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(1_000),
  how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'twice', 'add'),
  text: hostileJson,
})
const partEdit: fc.Arbitrary<PartEdit> = fc.record({
  at: fc.nat(1_000),
  how: fc.constantFrom('replace', 'replace', 'twice', 'add'),
  text: hostilePart,
})
const contentTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  'x',
  '/',
]
const ordinaryHeaders = [
  'idempotency-key',
  'x-request-id',
  'user-agent',
  'x-forwarded-for',
  'accept',
  'if-none-match',
  'x-http-method-override',
  'origin',
  'content-encoding',
  'accept-encoding',
]
const headerEdit: fc.Arbitrary<HeaderEdit> = fc.oneof(
  fc.record({
    name: fc.constantFrom('authorization', 'x-api-key', 'AUTHORIZATION', 'X-API-KEY'),
    how: fc.constantFrom('replace', 'drop', 'twice'),
    value: fc.oneof(hostileHeader, fc.constantFrom('{stranger}', 'Bearer {stranger}', 'NONE')),
  }),
  fc.record({
    name: fc.constant('content-type'),
    how: fc.constantFrom('replace', 'drop', 'twice'),
    value: fc.oneof(hostileHeader, fc.constantFrom(...contentTypes)),
  }),
  fc.record({
    name: fc.constantFrom(...ordinaryHeaders),
    how: fc.constantFrom('replace', 'twice'),
    value: hostileHeader,
  }),
)

/** Where hostile values go: nowhere, or in one or two places of an otherwise ordinary request. */
const damage = fc.oneof(
  { weight: 50, arbitrary: fc.constant({}) },
  { weight: 30, arbitrary: fc.record({ bodyEdits: fc.array(bodyEdit, { minLength: 1, maxLength: 2 }) }) },
  { weight: 20, arbitrary: fc.record({ partEdits: fc.array(partEdit, { minLength: 1, maxLength: 2 }) }) },
  { weight: 15, arbitrary: fc.record({ headerEdits: fc.array(headerEdit, { minLength: 1, maxLength: 2 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      partEdits: fc.tuple(partEdit),
      bodyEdits: fc.tuple(bodyEdit),
      headerEdits: fc.tuple(headerEdit),
    }),
  },
)
const undamaged = { bodyEdits: [], partEdits: [], headerEdits: [] }

const idempotencyKey = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.nat(400).map((number) => `key-${number}`) },
)

/** Requests to every route by every actor. */
export function planOf(
  routes: readonly Route[],
  resolve: Resolve,
  actors: readonly number[],
): fc.Arbitrary<Plan> {
  const byRoute = routes.map((route) => ({
    weight: weightOf(route),
    arbitrary: planOfRoute(route, resolve, actors),
  }))
  return fc.oneof(...byRoute)
}

/** Routes that move money are called most, and those that read a whole day of transactions least. */
function weightOf({ name }: Route): number {
  if (name === 'POST /v1/payments-init/initiate') return 100
  if (name === 'POST /v1/payments/reconciliation') return 1
  return name.startsWith('POST /v1/payments/{') || name.startsWith('POST /v1/payments-init/') ? 15 : 8
}

function planOfRoute(route: Route, resolve: Resolve, actors: readonly number[]): fc.Arbitrary<Plan> {
  const parameters = (place: string): fc.Arbitrary<Record<string, unknown>> => {
    const those = route.parameters.filter((one) => one.in === place)
    const model = Object.fromEntries(
      those.map(({ name, schema = {} }) => [
        name,
        isCollected(name) ? idMark(name) : valuesOf(schema, resolve, name),
      ]),
    )
    const requiredKeys = those
      .filter((one) => place === 'path' || one.required === true)
      .map(({ name }) => name)
    return fc.record(model, { requiredKeys })
  }
  const recipe = recipes[route.name]
  const random = route.body && valuesOf(route.body, resolve)
  const bodies = [
    ...(recipe ? [{ weight: 3, arbitrary: recipe }] : []),
    ...(random ? [{ weight: 1, arbitrary: random }] : []),
  ]
  return fc
    .record({
      actor: fc.constantFrom(...actors),
      path: paths[route.name] ?? parameters('path'),
      query: parameters('query'),
      body: bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(undefined),
      idempotencyKey,
      damage,
    })
    .map(({ damage: done, ...plan }) => ({ ...plan, ...undamaged, ...done, route }))
}

/** Fields that are not named like ids but are also taken from answers. */
const isCollected = (name: string): boolean => ['last_evaluated_key', 'lastEvaluatedKey'].includes(name)
