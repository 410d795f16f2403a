import { createCipheriv, randomUUID } from 'node:crypto'
import type { Simulator } from '../../../simulator.ts'
import { http, type HttpAnswer } from '../../../testing/http.ts'
import { flutterwave } from '../protocol.ts'

const SECRETS = flutterwave.sandbox.account.secrets

export interface FlutterwaveClient {
  readonly get: (path: string) => Promise<HttpAnswer>
  readonly post: (path: string, body: object) => Promise<HttpAnswer>
  readonly charge: (type: string, input?: object) => Promise<HttpAnswer>
  /** Encrypts a card as Flutterwave requires, with the account's key or another. */
  readonly chargeCard: (input: object, key?: string) => Promise<HttpAnswer>
  readonly transfer: (input?: object) => Promise<HttpAnswer>
  readonly verify: (reference: string) => Promise<HttpAnswer>
}

export function createFlutterwaveClient(
  simulator: Simulator,
  key = SECRETS['secret_key'] ?? '',
): FlutterwaveClient {
  const headers = { authorization: `Bearer ${key}` }
  const url = (path: string) => `${simulator.providerUrl('flutterwave')}/v3${path}`
  const get = (path: string) => http(url(path), { headers })
  const post = (path: string, body: object) => http(url(path), { method: 'POST', headers, body })
  const terms = () => ({ tx_ref: randomUUID(), amount: 150, currency: 'GHS', email: 'payer@example.com' })
  return {
    get,
    post,
    charge: (type, input) =>
      post(`/charges?type=${type}`, {
        ...terms(),
        phone_number: '0551234987',
        network: 'MTN',
        ...input,
      }),
    chargeCard: (input, encryptionKey = SECRETS['encryption_key'] ?? '') => {
      const card = { cvv: '564', expiry_month: '09', expiry_year: '32' }
      const cipher = createCipheriv('des-ede3-ecb', encryptionKey, null)
      const plain = JSON.stringify({ ...terms(), currency: 'NGN', ...card, ...input })
      const client = cipher.update(plain, 'utf8', 'base64') + cipher.final('base64')
      return post('/charges?type=card', { public_key: SECRETS['public_key'], client })
    },
    transfer: (input) =>
      post('/transfers', {
        account_bank: '044',
        account_number: '0690000040',
        amount: 150,
        currency: 'NGN',
        reference: randomUUID(),
        ...input,
      }),
    verify: (reference) => get(`/transactions/verify_by_reference?tx_ref=${reference}`),
  }
}
