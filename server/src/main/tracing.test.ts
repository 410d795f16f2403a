import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startOtlpReceiver,
  type OtlpReceiver,
  type ReceivedSpan,
} from '@switchyard/stack/services/otlp-receiver.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { card, cardDetails, cvv, person } from '../../test/secrets/canaries.ts'
import { formsOf } from '../../test/secrets/search-secrets.ts'
import type { Json } from '../../test/app/test-app.ts'
import {
  cardPayin,
  mobileMoneyPayin,
  startTestPayments,
  type TestPayments,
} from '../../test/worlds/test-payments.ts'
import { until } from '../../test/app/test-relay.ts'
import { startTestWorker } from '../../test/app/test-worker.ts'
import { startTracing, type Tracing } from './tracing.ts'

let receiver: OtlpReceiver
let tracing: Tracing
let t: TestPayments
const logged: string[] = []
const logTo = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(...chunk.toString('utf8').trim().split('\n'))
    done()
  },
})

beforeAll(async () => {
  receiver = await startOtlpReceiver(await freePort())
  tracing = (await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACE_SAMPLE_RATIO: 1 }, 'api'))!
  t = await startTestPayments({ tracer: tracing.tracer, logTo, env: { LOG_LEVEL: 'info' } })
})

afterAll(async () => {
  await t.close()
  await receiver.stop()
})

const lines = (): Json[] => logged.map((line) => JSON.parse(line))

async function traceOf(requestId: unknown): Promise<{ root: ReceivedSpan; all: ReceivedSpan[] }> {
  await tracing.flush()
  const isRoot = (span: ReceivedSpan): boolean => span.attributes['switchyard.request_id'] === requestId
  await until('the trace', () => receiver.spans().some(isRoot))
  const root = receiver.spans().find(isRoot)!
  return { root, all: receiver.spans().filter(({ traceId }) => traceId === root.traceId) }
}

describe('a payment', () => {
  it('is one trace, from the request to the provider, with the ids that logs and timeline have', async () => {
    const { body, headers } = await t.initiate(mobileMoneyPayin())
    const { root, all } = await traceOf(headers['x-request-id'])
    expect(root.name).toBe('POST /v1/payments-init/initiate')
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/payments-init/initiate',
      'http.response.status_code': 200,
      'switchyard.request_id': headers['x-request-id'],
      'switchyard.org_id': t.seed.orgs[0]!.org_id,
      'switchyard.payment_id': body.response.payment_id,
    })
    const provider = all.find(({ name }) => name === 'provider collect')!
    expect(provider).toMatchObject({
      parentSpanId: root.spanId,
      attributes: { 'switchyard.provider': 'pawapay' },
    })
    expect(all.filter(({ name }) => name === 'postgres batch').length).toBeGreaterThanOrEqual(2)

    const about = lines().find(({ requestId }) => requestId === headers['x-request-id'])
    expect(about).toMatchObject({ traceId: root.traceId, orgId: t.seed.orgs[0]!.org_id })
  })

  it('leaves no card number, code, name or address of a link in any trace', async () => {
    const { status } = await t.initiate(
      cardPayin({ ...cardDetails(card), payer_details: { name: person.name, email: person.email } }),
    )
    expect(status).toBeLessThan(500)
    await t.call('GET', `/v1/payments/transaction/${card}`, { as: t.admin })
    await t.call('GET', `/pay/${card}?cvv=${cvv}`)
    await t.call('GET', `/v1/transactions?search=${encodeURIComponent(person.email)}`, { as: t.admin })
    const { headers } = await t.call('GET', `/${card}`)
    await traceOf(headers['x-request-id'])
    for (const canary of [card, person.email, person.name])
      for (const form of formsOf(canary)) expect(receiver.text().includes(String(form))).toBe(false)
    expect(receiver.text()).toContain('"none"')
  })
})

it('a job of the engine is a trace with its service and handler', async () => {
  const worker = await startTestWorker(t)
  try {
    const isJob = ({ attributes }: ReceivedSpan): boolean => attributes['switchyard.handler'] !== undefined
    await until('the trace of a job', async () => {
      await tracing.flush()
      return receiver.spans().some(isJob)
    })
    const { name, attributes } = receiver.spans().find(isJob)!
    expect(name).toBe(`${attributes['switchyard.service']}.${attributes['switchyard.handler']}`)
  } finally {
    await worker.stop()
  }
})

describe('log lines', () => {
  it('of operations carry the ids of the request during which they are written', async () => {
    t.deps.log.info({ process: 'test' }, 'outside')
    const { headers } = await t.call('GET', '/v1/organizations/me', { as: t.admin })
    const request = lines().find(
      ({ requestId, msg }) => requestId === headers['x-request-id'] && msg === 'request',
    )
    expect(request.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(lines().find(({ msg }) => msg === 'outside')).not.toHaveProperty('traceId')
    const raw = logged.find((line) => line.includes(String(headers['x-request-id'])))!
    expect(raw.match(/"requestId"/g)).toHaveLength(1)
  })
})

it('without an endpoint nothing is loaded, and logs carry no trace', async () => {
  const none = { OTEL_EXPORTER_OTLP_ENDPOINT: undefined, TRACE_SAMPLE_RATIO: 1 }
  expect(await startTracing(none, 'worker')).toBeUndefined()
})
