import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { createPawapayClient, type PawapayClient } from '../../testing/pawapay-client.ts'

let simulator: Simulator
let client: PawapayClient

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 10 })
  client = createPawapayClient(simulator)
})
afterAll(() => simulator.stop())

describe('authorisation by code and by redirect', () => {
  const orange = { currency: 'XOF', amount: '500', provider: 'ORANGE_BFA', phoneNumber: '22607345678' }
  const wave = { currency: 'XOF', amount: '500', provider: 'WAVE_SEN', phoneNumber: '221773456789' }
  const urls = { successfulUrl: 'https://shop.test/ok', failedUrl: 'https://shop.test/no' }

  test('Orange in Burkina Faso requires the code in the call', async () => {
    expect((await client.deposit(orange)).status).toBe(400)
    const [right, wrong] = [randomUUID(), randomUUID()]
    await client.deposit({ ...orange, id: right, more: { preAuthorisationCode: '123456' } })
    await client.deposit({ ...orange, id: wrong, more: { preAuthorisationCode: '000000' } })
    await expect
      .poll(async () => (await client.find('deposits', right)).json())
      .toMatchObject({ data: { status: 'COMPLETED' } })
    await expect
      .poll(async () => (await client.find('deposits', wrong)).json())
      .toMatchObject({ data: { status: 'FAILED', failureReason: { failureCode: 'PAYMENT_NOT_APPROVED' } } })
  })

  async function openWavePage(id: string): Promise<string> {
    const answer = await client.deposit({ ...wave, id, more: urls })
    expect(answer.json()).toMatchObject({ status: 'ACCEPTED', nextStep: 'GET_AUTH_URL' })
    await simulator.settle({ reference: id })
    const found = (await client.find('deposits', id)).json() as { data: { authorizationUrl: string } }
    return found.data.authorizationUrl
  }

  function press(url: string, decision: string) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return http(url, { method: 'POST', headers, body: `decision=${decision}` })
  }

  test('Wave reports its page by callback, and the payer pays there', async () => {
    const id = randomUUID()
    const url = await openWavePage(id)
    const callback = simulator.webhooks('pawapay').find((webhook) => webhook.reference === id)
    expect(JSON.parse(callback!.body)).toMatchObject({
      status: 'PROCESSING',
      nextStep: 'REDIRECT_TO_AUTH_URL',
    })
    const page = await http(url)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain('500 XOF')
    const answer = await press(url, 'pay')
    expect([answer.status, answer.headers['location']]).toEqual([303, urls.successfulUrl])
    await expect
      .poll(async () => (await client.find('deposits', id)).json())
      .toMatchObject({ data: { status: 'COMPLETED' } })
    expect((await press(url, 'decline')).text).toContain('has been decided')
  })

  test.each(['decline', 'cancel'])(
    'a payer who presses %s returns with a failed deposit',
    async (decision) => {
      const id = randomUUID()
      const answer = await press(await openWavePage(id), decision)
      expect(answer.headers['location']).toBe(urls.failedUrl)
      expect((await client.find('deposits', id)).json()).toMatchObject({ data: { status: 'FAILED' } })
    },
  )

  test('the page of an unknown deposit is 404', async () => {
    expect((await http(`${simulator.url}/pawapay/authorise/default/${randomUUID()}`)).status).toBe(404)
  })
})
