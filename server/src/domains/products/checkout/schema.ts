import { languages } from '@switchyard/checkout/languages.ts'
import { z } from 'zod'
import { parseMinor, type Money } from '../../../lib/money/money.ts'
import { toE164 } from '../../../lib/instruments/phone.ts'
import { cardDetails } from '../../payments/initiation/schema.ts'

export const linkParams = z.object({ link_ref: z.string().regex(/^[\w-]{22,64}$/) })
export const returnParams = z.object({ token: z.string().max(100) })
const returnValueCharacters = 10_000
/** Accepts any parameters that a provider adds to our URL; repeated ones are dropped. */
export const returnQuery = z
  .record(z.string(), z.unknown())
  .transform((query) =>
    Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) =>
        typeof value === 'string' && value.length <= returnValueCharacters ? [[name, value]] : [],
      ),
    ),
  )
export const assetParams = z.object({ file: z.string().max(100) })

/** Invalid parameters are ignored, so that a mistyped URL still shows the page. */
export const pageQuery = z.object({
  lang: z.enum(languages).optional().catch(undefined),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .catch(undefined),
  /** Redirect to the provider's page once. */
  go: z.literal('1').optional().catch(undefined),
  /** Offer the methods again after a failed payment. */
  again: z.literal('1').optional().catch(undefined),
  /** Say that the receipt was mailed. */
  receipt: z.literal('sent').optional().catch(undefined),
})

export const anyForm = z.record(z.string().max(40), z.string().max(400))
export type AnyForm = z.infer<typeof anyForm>

export const formField = z.enum(['amount', 'email', 'card_number', 'expiry', 'cvc', 'network', 'phone'])
export type FormField = z.infer<typeof formField>

/** The fields that decide how the other fields are parsed. */
export const formHead = z.object({
  version: z.coerce.number().int().positive(),
  rate: z.uuid().optional(),
  country: z.string().regex(/^[A-Z]{2}$/),
  method: z.enum(['card', 'mobile_money', 'bank_transfer']),
})
export type FormHead = z.infer<typeof formHead>

export const otpPattern = /^[A-Za-z0-9]{3,12}$/

/** Accepts a decimal comma or point, with or without thousands separators. */
export function readAmount(text: string | undefined, currency: string): Money | undefined {
  const plain = (text ?? '')
    .replaceAll(/[\s'’]/g, '')
    .replace(/,(?=\d{1,2}$)/, '.')
    .replaceAll(',', '')
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(plain)) return undefined
  const amountMinor = parseMinor(plain, currency)
  return amountMinor === undefined || amountMinor === 0n ? undefined : { amountMinor, currency }
}

export function readEmail(text: string | undefined): string | undefined {
  return z.email().max(320).safeParse(text?.trim()).data
}

export const readPhone = (text: string | undefined, country: string): string | undefined =>
  toE164(text ?? '', country)

export type CardDetails = z.infer<typeof cardDetails>

const fieldOfCard: Readonly<Record<string, FormField>> = {
  card_number: 'card_number',
  expiry_month: 'expiry',
  expiry_year: 'expiry',
  cvv: 'cvc',
}

/** Uses the API's schema, but requires the security code and rejects expired cards. */
export function readCard(form: AnyForm, now: Date): { card: CardDetails } | { invalid: FormField[] } {
  const expiry = (form['expiry'] ?? '').replaceAll(/\D/g, '')
  const parsed = cardDetails.safeParse({
    card_number: (form['card_number'] ?? '').replaceAll(/[\s-]/g, ''),
    expiry_month: expiry.slice(0, 2),
    expiry_year: expiry.slice(2),
    cvv: form['cvc'] ?? '',
  })
  if (!parsed.success) {
    const fields = parsed.error.issues.flatMap(({ path }) => fieldOfCard[String(path[0])] ?? [])
    return { invalid: [...new Set(fields)] }
  }
  const year = expiry.slice(2).padStart(4, '20')
  const isPast = new Date(Date.UTC(Number(year), Number(expiry.slice(0, 2)), 1)) <= now
  return isPast ? { invalid: ['expiry'] } : { card: parsed.data }
}
