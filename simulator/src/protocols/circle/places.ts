import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, type DeclineReason } from '../../sentinels.ts'
import {
  chainSchema,
  data,
  declineOf,
  failureBy,
  fingerprintOf,
  invalid,
  keySchema,
  notFound,
  parseRequest,
  WALLET,
  type Book,
  type Details,
  type Place,
} from './wire.ts'

export interface Books {
  readonly wires: Book
  readonly recipients: Book
  readonly addresses: Book
}

const text = z.string().min(1)
const linkSchema = z
  .object({
    idempotencyKey: keySchema,
    accountNumber: z.string().min(6).max(35).optional(),
    routingNumber: text.optional(),
    iban: z
      .string()
      .regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/)
      .optional(),
    billingDetails: z.object({
      name: text,
      line1: text,
      city: text,
      postalCode: text,
      country: z.string().length(2),
    }),
    bankAddress: z.object({ country: z.string().length(2) }),
  })
  .refine(({ iban, accountNumber, routingNumber }) => iban ?? (accountNumber && routingNumber), {
    path: ['accountNumber'],
  })

/** The result of linking an account, by the last two digits of its number. */
const LINKINGS: Readonly<Record<string, string>> = { '97': 'pending', '98': 'failed' }

export async function linkWire(kit: Kit, { wires }: Books, call: Call): Promise<Answer> {
  const parsed = parseRequest(linkSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { idempotencyKey: key, iban, accountNumber, billingDetails, bankAddress } = parsed.input
  const number = iban ?? accountNumber ?? ''
  const currency = iban === undefined ? 'USD' : 'EUR'
  const at = kit.clock.now().toISOString()
  const wire = {
    id: randomUUID(),
    status: LINKINGS[number.slice(-2)] ?? 'complete',
    description: `BANK ****${number.slice(-4)}`,
    trackingRef: `CIR${randomBytes(5).toString('hex').toUpperCase()}`,
    fingerprint: randomUUID(),
    billingDetails,
    bankAddress,
    transferTypesInfo: { wire: { currencies: [currency] } },
    createDate: at,
    updateDate: at,
  }
  const { id, trackingRef } = wire
  return open(kit, call, {
    book: wires,
    key,
    place: wire,
    // An account is never ready immediately.
    show: (place) => data(201, { ...place, status: 'pending' }),
    payment: {
      method: 'bank_transfer',
      currency,
      account: number,
      details: {
        fingerprint: fingerprintOf(call),
        currency,
        source: { type: 'wire', id },
        destination: WALLET,
        trackingRef,
      },
    },
    decline: (reason) => (reason === 'declined' ? invalid('accountNumber') : declineOf(reason)),
  })
}

export function showWire({ wires }: Books, call: Call): Answer {
  const wire = wires.find(call.account.name, call.params['id'] ?? '')
  return wire === undefined ? notFound() : data(200, wire)
}

export function showInstructions({ wires }: Books, call: Call): Answer {
  const wire = wires.find(call.account.name, call.params['id'] ?? '')
  const isEuro = call.query['currency'] === 'EUR'
  if (wire === undefined) return notFound()
  return data(200, {
    trackingRef: wire['trackingRef'],
    beneficiary: { name: 'CIRCLE INTERNET FINANCIAL INC', address1: '99 HIGH STREET', address2: 'BOSTON MA' },
    beneficiaryBank: {
      name: isEuro ? 'EURO TEST BANK' : 'CRYPTO TEST BANK',
      swiftCode: 'CRYPTO99',
      ...(!isEuro && { routingNumber: '999999999' }),
      accountNumber: isEuro ? 'DE89370400440532013000' : '123815146304',
      currency: isEuro ? 'EUR' : 'USD',
    },
  })
}

const addressSchema = z.object({
  idempotencyKey: keySchema,
  currency: z.enum(['USD', 'EUR']),
  chain: chainSchema,
})

export async function openAddress(kit: Kit, { addresses }: Books, call: Call): Promise<Answer> {
  const parsed = parseRequest(addressSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { idempotencyKey: key, currency, chain } = parsed.input
  // Circle's documentation allows an address that was issued before.
  const [before] = call.account.options['reuses_addresses'] === true ? addresses.all(call.account.name) : []
  const address = before?.id ?? `0x${randomBytes(20).toString('hex')}`
  const tag: Record<string, string> = chain === 'XLM' ? { addressTag: '123456789' } : {}
  return open(kit, call, {
    book: addresses,
    key,
    place: { id: address, address, currency, chain, ...tag },
    show: ({ id: _id, ...place }) => data(201, place),
    payment: {
      method: 'crypto',
      currency: `${currency}C`,
      details: {
        fingerprint: fingerprintOf(call),
        currency,
        source: { type: 'blockchain', chain },
        destination: { ...WALLET, address, ...tag },
      },
    },
    decline: declineOf,
  })
}

interface OpenRequest {
  readonly book: Book
  readonly key: string
  readonly place: Place
  readonly show: (place: Place) => Answer
  readonly payment: {
    readonly method: string
    readonly currency: string
    readonly account?: string
    readonly details: Details
  }
  readonly decline: (reason: DeclineReason) => Answer | undefined
}

/** No request contains the amount, so the option `customer_pays` of the account or of one payer defines it. */
async function open(kit: Kit, call: Call, request: OpenRequest): Promise<Answer> {
  const { book, key, place, show, decline } = request
  const known = book.known(call, key)
  if (known) return 'refusal' in known ? known.refusal : show(known.place)
  const store = () => show(book.store(call, key, place))
  const { account, ...payment } = request.payment
  const { options } = call.account
  const own = options[`customer_pays ${account ?? payment.currency}`]
  const amount = String(own ?? options['customer_pays'] ?? '')
  if (amount === '') return store()
  return carryOut(kit, call, {
    operation: 'collect',
    reference: key,
    ...payment,
    amount,
    behaviour: behaviourFor({ amount, account }),
    duplicate: store,
    decline,
    failure: failureBy(payment.method),
    accepted: store,
  })
}

const recipientSchema = z.object({
  idempotencyKey: keySchema,
  address: z.string().min(20),
  chain: chainSchema,
  currency: z.enum(['USD', 'EUR']).optional(),
  description: text,
})

/** An address that ends in `dead` stays under review; any other is cleared when it is read again. */
export function addRecipient({ recipients }: Books, call: Call): Answer {
  const parsed = parseRequest(recipientSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { idempotencyKey: key, ...recipient } = parsed.input
  const known = recipients.known(call, key)
  if (known) return 'refusal' in known ? known.refusal : data(200, known.place)
  const status = /dead$/i.test(recipient.address) ? 'pending_verification' : 'active'
  const place = recipients.store(call, key, { id: randomUUID(), ...recipient, status })
  return data(200, { ...place, status: 'pending_verification' })
}
