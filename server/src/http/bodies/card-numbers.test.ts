import { Writable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { collectRoutes, namesInBody, queryOf, requestTo } from '../../../test/contract/every-route.ts'
import { cardPayin, mobileMoneyPayin } from '../../../test/worlds/payment-requests.ts'
import { memberOf, startTestApp, type CallAnswer, type Json } from '../../../test/app/test-app.ts'

const number = '4929123456789015'
const logged: Buffer[] = []
const logTo = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(Buffer.from(chunk))
    done()
  },
})

// Started before the tests are defined, because each registered route becomes a test.
const t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo })
afterAll(() => t.close())
const operator = t.seed.platformAdmin.api_key
const admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
const routes = (await collectRoutes(t)).filter(({ access }) => access.permission !== 'public')

function expectRefused(answer: CallAnswer, field: string): void {
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(`${field} looks like`)])
  expect(answer.body.message).toContain('looks like a card number')
  expect(answer.body.details).toEqual([{ path: field, message: `${field} looks like a card number.` }])
  expect(answer.text).not.toContain(number)
}

/** Every text and every key of a body, as its path and a copy of the body with the number in its place. */
function* placesIn(value: unknown, path = ''): Generator<[path: string, changed: unknown]> {
  if (typeof value === 'string') yield [path, `${number} ${value}`.slice(0, 40)]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    for (const [where, changed] of placesIn(inner, path === '' ? key : `${path}.${key}`))
      yield [where, Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }]
}

describe('a card number in any text of any route is refused before it is validated or stored', () => {
  const withBody = routes.filter(({ body }) => body)
  it.each(withBody.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    const wanted = new Set(namesInBody(t, route))
    const { path, options } = requestTo(t, route, { valueFor: () => undefined, wanted })
    const send = async (body: unknown): Promise<CallAnswer> => {
      const answer = await t.call(route.method, path, { as: operator, body: body as Json })
      return answer.status === 403 ? t.call(route.method, path, { as: admin, body: body as Json }) : answer
    }
    const places = [...placesIn(options.body)].filter(([where]) => where !== 'card_details.card_number')
    for (const [where, changed] of places) expectRefused(await send(changed), where)
    expectRefused(await send({ ...(options.body as object), unknown_field: number }), 'unknown_field')
    expectRefused(await send({ ...(options.body as object), [`note ${number}`]: 1 }), 'a key of the body')
  })

  it('in a query, on every list', async () => {
    let refusals = 0
    for (const route of routes.filter((one) => one.method === 'GET')) {
      const { path } = requestTo(t, route, { valueFor: () => undefined })
      for (const name of [...queryOf(route).map((one) => one.name), 'unknown']) {
        const url = new URL(path, t.url)
        url.searchParams.set(name, number)
        const answer = await t.call('GET', url.pathname + url.search, { as: operator })
        if (answer.status === 403) continue
        expectRefused(answer, name)
        refusals++
      }
    }
    expect(refusals).toBeGreaterThan(50)
  })

  it('in a path', async () => {
    const answer = await t.call('PUT', `/v1/screening/addresses/${number}`, {
      as: admin,
      body: { verdict: 'deny', reason: 'a test' },
    })
    expectRefused(answer, 'address')
  })
})

describe('a card number in a header that is stored', () => {
  it.each(['Idempotency-Key', 'X-Request-Id', 'User-Agent'])('%s is refused', async (header) => {
    const answer = await t.call('POST', '/v1/payments-init/initiate', {
      as: admin,
      body: mobileMoneyPayin(),
      headers: { [header.toLowerCase()]: number },
    })
    expectRefused(answer, `the header ${header}`)
    expect(JSON.stringify(answer.headers)).not.toContain(number)
  })
})

describe('a refusal', () => {
  const initiate = (body: Json): Promise<CallAnswer> =>
    t.call('POST', '/v1/payments-init/initiate', { as: admin, body })

  it('has a code of its own, and says what to do', async () => {
    const { body } = await initiate(mobileMoneyPayin({ description: `For ${number}` }))
    expect(body).toMatchObject({
      code: 'CARD_NUMBER_NOT_ALLOWED',
      message:
        'description looks like a card number. Nothing was stored. Send a card number in card_details.card_number only; if this is another number, put a letter between its digits.',
    })
  })

  it.each([
    ['deep in metadata', { metadata: { order: { notes: ['a', `b ${number}`] } } }, 'metadata.order.notes.1'],
    ['as a key of metadata', { metadata: { [number]: 'x' } }, 'a key of metadata'],
    ['as a number', { metadata: { account: 378_282_246_310_005 } }, 'metadata.account'],
    ['with separators', { client_reference: '4929-1234-5678-9015' }, 'client_reference'],
    ['as the payer’s name', { payer_details: { name: number, email: 'a@b.co' } }, 'payer_details.name'],
    ['as the holder', { card_details: { card_holder_name: number } }, 'card_details.card_holder_name'],
    ['beside the card field', { card_number: number }, 'card_number'],
    [
      'in the card field of another object',
      { metadata: { card_details: { card_number: number } } },
      'metadata.card_details.card_number',
    ],
  ])('finds it %s', async (_title, change, field) => {
    const answer = await initiate(mobileMoneyPayin(change))
    expectRefused(answer, field)
  })

  it('does not concern the card field itself', async () => {
    const { body } = await initiate(cardPayin())
    expect(body.code).not.toBe('CARD_NUMBER_NOT_ALLOWED')
  })

  it('leaves no trace of the number in the log or in a table', async () => {
    await initiate(mobileMoneyPayin({ description: number, client_reference: number }))
    expect(Buffer.concat(logged).toString()).not.toContain(number)
    expect(Buffer.concat(logged).toString()).toContain('payments-init')
    const { rows } = await t.owner.query(
      'select payments::text as text from payments union all select audit_log::text from audit_log',
    )
    expect(JSON.stringify(rows)).not.toContain(number)
  })
})
