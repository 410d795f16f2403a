import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'

let simulator: Simulator
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator()
  simulator.configure('sumsub', { webhook_url: receiver.url })
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

async function call(method: string, path: string, body?: object, secret = 'switchyard-sandbox-secret') {
  const text = body === undefined ? '' : JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(timestamp + method + path + text)
  const response = await fetch(`${simulator.providerUrl('sumsub')}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-app-token': 'sbx:switchyard-sandbox-token',
      'x-app-access-ts': timestamp,
      'x-app-access-sig': signature.digest('hex'),
    },
    ...(text !== '' && { body: text }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const creation = (externalUserId: string) => ({
  externalUserId,
  type: 'company',
  fixedInfo: { companyInfo: { companyName: 'Thames Ltd', country: 'GBR' } },
})
const create = (externalUserId: string) =>
  call('POST', '/resources/applicants?levelName=kyb', creation(externalUserId))

const eventsOf = (applicantId: string) =>
  receiver.received().flatMap(({ body, headers }) => {
    const event = JSON.parse(body)
    const digest = createHmac('sha256', 'switchyard-sandbox-webhook').update(body).digest('hex')
    return event.applicantId === applicantId
      ? [{ ...event, isSigned: headers['x-payload-digest'] === digest }]
      : []
  })

describe('applicants', () => {
  it('an applicant is created once and found by our id', async () => {
    const created = await create('org-1')
    expect(created.status).toBe(201)
    const found = await call('GET', '/resources/applicants/-;externalUserId=org-1/one')
    expect(found.body.id).toBe(created.body.id)
    expect((await create('org-1')).status).toBe(409)
  })

  it('a request whose signature does not cover its query is refused', async () => {
    expect((await call('POST', '/resources/applicants?levelName=kyb', creation('x'), 'wrong')).status).toBe(
      401,
    )
  })

  it('signed webhooks report the check and its result in order', async () => {
    const { id } = (await create('org-2')).body
    await call('POST', `/resources/applicants/${id}/status/pending`, {})
    const verdict = { reviewAnswer: 'RED', reviewRejectType: 'RETRY', moderationComment: 'Unreadable.' }
    await call('POST', `/resources/applicants/${id}/status/testCompleted`, verdict)
    const events = eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual([
      'applicantCreated',
      'applicantPending',
      'applicantReviewed',
    ])
    expect(events.every(({ isSigned }) => isSigned)).toBe(true)
    expect(events.at(-1)).toMatchObject({ externalUserId: 'org-2', reviewResult: verdict })
    expect(events.at(-1)?.createdAtMs).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
  })

  it('the hosted page opens by its link and decides', async () => {
    const { id } = (await create('org-3')).body
    const path = '/resources/sdkIntegrations/levels/-/websdkLink'
    const link = await call('POST', path, { levelName: 'kyb', userId: 'org-3' })
    const page = await fetch(link.body.url)
    expect(await page.text()).toContain('Thames Ltd')
    await fetch(link.body.url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) })
    expect(eventsOf(id).at(-1)).toMatchObject({ reviewResult: { reviewAnswer: 'GREEN' } })
  })
})
