import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkRequest } from '../../lib/requests/check-request.ts'
import { branchesOf, shapeOf, type Shape } from '../../lib/requests/request-shape.ts'
import { collectSchemas, type RequestSchema } from '../../../test/contract/every-schema.ts'
import { memberOf, useApp } from '../../../test/app/test-app.ts'

const t = useApp()
let schemas: RequestSchema[]
let admin: string
beforeAll(async () => {
  schemas = await collectSchemas(t)
  admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
})

const wrong: unknown[] = [
  undefined,
  null,
  '',
  'no such value',
  'x'.repeat(3000),
  -1,
  1.5,
  1e21,
  true,
  [],
  [{}],
  {},
  { ['k'.repeat(300)]: 1 },
]

/** Values in which every field, at every depth, is wrong in the same way. */
function* wrongValues(shape: Shape, root: Shape, depth = 0): Generator<unknown> {
  yield* wrong
  if (depth > 4) return
  for (const branch of branchesOf(shape, root)) {
    if (branch.type === 'object' && branch.properties)
      for (const [name, field] of Object.entries(branch.properties))
        for (const value of wrongValues(field, root, depth + 1)) yield { [name]: value }
    if (branch.type === 'array' && typeof branch.items === 'object')
      for (const value of wrongValues(branch.items, root, depth + 1)) yield [value]
  }
}

const validatorsText =
  /Invalid (?:input|option|string|key|element)|Too (?:small|big)|Unrecognized key|expected (?:string|number|object)|received|to have (?:>|<)|^Invalid\b/
const isSentence = (text: string): boolean =>
  /[.?]$/.test(text) && / (?:must|is|are|has|was|cannot|needs|may|looks|exceeds|does|can) /.test(text)

describe('400', () => {
  it('describes every kind of problem of every schema of every route in sentences of our own', () => {
    const seen = new Set<string>()
    const bad = new Set<string>()
    for (const { name, schema } of schemas) {
      const shape = shapeOf(schema)
      for (const value of wrongValues(shape, shape)) {
        for (const issue of z.core.safeParse(schema, value).error?.issues ?? []) seen.add(issue.code)
        for (const { path, message } of checkRequest(schema, value).details ?? [])
          if (validatorsText.test(message) || !isSentence(message) || message.endsWith('is not valid.'))
            bad.add(`${name} ${path}: ${message}`)
      }
    }
    expect([...bad]).toEqual([])
    expect([...seen].toSorted()).toEqual([
      'custom',
      'invalid_format',
      'invalid_key',
      'invalid_type',
      'invalid_union',
      'invalid_value',
      'too_big',
      'too_small',
      'unrecognized_keys',
    ])
    expect(schemas.length).toBeGreaterThan(150)
  })

  it.each([
    [
      { amount: 'ten' },
      'amount',
      'amount must be a positive number below 1000000000000000, such as 1500.25.',
    ],
    [
      {},
      'amount',
      'amount is required; it must be a positive number below 1000000000000000, such as 1500.25.',
    ],
    [{ direction: 'in' }, 'direction', 'direction must be one of payin or payout.'],
    [
      { beneficiary_id: 'x' },
      'beneficiary_id',
      'beneficiary_id must be a UUID, such as 0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f.',
    ],
    [
      { payer_details: { email: 'ada' } },
      'payer_details.email',
      'payer_details.email must be an e-mail address, such as ada@example.com.',
    ],
    [
      { country: 'Nigeria' },
      'country',
      'country must be an ISO 3166 alpha-2 country code in capitals, such as NG.',
    ],
    [{ client_reference: '' }, 'client_reference', 'client_reference must be a text of 1 to 255 characters.'],
  ])('%j is answered with the format and an example', async (body, path, message) => {
    const answer = await t.call('POST', '/v1/payments-init/initiate', { as: admin, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details).toContainEqual({ path, message })
  })

  it('the message is the first problem and says how many more there are', async () => {
    const answer = await t.call('POST', '/v1/public/api-keys', { as: admin, body: { name: 7, scopes: 7 } })
    const [first, ...rest] = answer.body.details
    expect(rest).toHaveLength(1)
    expect(answer.body.message).toBe(`${first.message} 1 more problem is in details.`)
  })
})
