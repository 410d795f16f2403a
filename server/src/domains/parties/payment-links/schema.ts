import { z } from 'zod'
import { validationError } from '../../../lib/errors.ts'
import { isFiat, parseMinor, wireAmount, type Money } from '../../../lib/money/money.ts'
import { presentFields, textOf } from '../../../lib/text/no-value.ts'
import { countryCode, dateTime, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { LinkChange, LinkTerms, LinkWithStatus } from './record.ts'
import { amountTypes, linkStatuses, statusAt } from './rules.ts'

export const orgParams = z.object({ org_id: uuid })
export const linkParams = z.object({ org_id: uuid, link_id: uuid })

const amountLimit = 1e15
const amount = z.number().positive().lt(amountLimit).meta({ format: 'double', example: 1500.25 })
const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })
const description = z.string().trim().max(500)
const clientReference = z.string().trim().min(1).max(255).nullish()
const returnUrl = z.url().max(2000).nullish()

export const createLinkBody = z
  .object({
    amount_type: z.enum(amountTypes).default('fixed'),
    amount: amount.optional().meta({ description: 'Required for fixed; the suggested amount for open.' }),
    currency,
    payer_currency: currency
      .optional()
      .meta({ description: 'The currency that the payer pays in, at a locked rate.' }),
    country: countryCode
      .nullish()
      .meta({ description: 'The payer’s country; without it the payer chooses.' }),
    email: z.email().max(320).nullish(),
    description: description.default(''),
    client_reference: clientReference,
    return_url: returnUrl,
    expires_at: dateTime.optional().meta({ example: undefined }),
  })
  .superRefine((body, context) => {
    if (body.amount_type === 'fixed' && body.amount === undefined)
      context.addIssue({ code: 'custom', path: ['amount'], message: 'is required for a fixed amount' })
  })

export const updateLinkBody = z.object({
  amount: amount.optional(),
  email: z.email().max(320).nullish(),
  description: description.optional(),
  client_reference: clientReference,
  return_url: returnUrl,
  expires_at: dateTime.optional().meta({ example: undefined }),
})

const paymentLink = z
  .object({
    link_id: uuid,
    org_id: uuid,
    email: z.string(),
    link_ref: z.string(),
    amount: wireDecimal,
    currency: z.string(),
    payer_currency: z.string(),
    country: z.string().nullable(),
    description: z.string(),
    amount_type: z.enum(amountTypes),
    status: z.enum(linkStatuses),
    client_reference: z.string().nullable(),
    return_url: z.string().nullable(),
    payment_id: uuid
      .nullable()
      .meta({ description: 'The payment that paid the link, or else the latest one.' }),
    payment_status: z.string().nullable(),
    expires_at: dateTime,
    paid_at: dateTime.optional().meta({ description: 'Left out until the link is paid.' }),
    created_at: dateTime,
    url: z.string(),
  })
  .meta({ id: 'PaymentLink' })

export const linkResponse = success(paymentLink)
/** The specification shows this list without `status` and `message`. */
export const linkList = z.object({
  data: z.array(paymentLink),
  count: z.int(),
  last_evaluated_key: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'With a limit: names the next page; null when there are no more links.' }),
})

export const listLinksQuery = z.object({
  status: z.enum(linkStatuses).optional(),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Without it, all links are returned.' }),
  last_evaluated_key: z.string().max(1024).optional(),
})

type LinkView = z.input<typeof paymentLink>

export const toLinkView = (deps: { publicUrl: string }, link: LinkWithStatus, now: Date): LinkView => ({
  link_id: link.linkId,
  org_id: link.orgId,
  email: textOf(link.email),
  link_ref: link.linkRef,
  amount: wireAmount(link.amount.amountMinor, link.amount.currency),
  currency: link.amount.currency,
  payer_currency: link.payerCurrency,
  country: link.country,
  description: link.description,
  amount_type: link.amountType,
  status: statusAt(link, now),
  client_reference: link.clientReference,
  return_url: link.returnUrl,
  payment_id: link.paymentId,
  payment_status: link.paymentStatus,
  expires_at: link.expiresAt.toISOString(),
  ...presentFields({ paid_at: link.paidAt?.toISOString() }),
  created_at: link.createdAt.toISOString(),
  url: linkUrl(deps.publicUrl, link.linkRef),
})

export const linkUrl = (publicUrl: string, linkRef: string): string => `${publicUrl}/pay/${linkRef}`

function moneyOf(value: number | undefined, inCurrency: string): Money {
  const amountMinor = value === undefined ? 0n : parseMinor(String(value), inCurrency)
  if (amountMinor === undefined)
    throw validationError(`amount: has more decimals than ${inCurrency} has.`, [
      { path: 'amount', message: `has more decimals than ${inCurrency} has` },
    ])
  return { amountMinor, currency: inCurrency }
}

export const toLinkTerms = (body: z.infer<typeof createLinkBody>): LinkTerms => ({
  amountType: body.amount_type,
  amount: moneyOf(body.amount, body.currency),
  payerCurrency: body.payer_currency ?? body.currency,
  country: body.country ?? null,
  email: body.email ?? null,
  description: body.description,
  clientReference: body.client_reference ?? null,
  returnUrl: body.return_url ?? null,
  expiresAt: body.expires_at === undefined ? undefined : new Date(body.expires_at),
})

/** The link's currency cannot change, so the body does not contain it. */
export const toLinkChange = (body: z.infer<typeof updateLinkBody>, inCurrency: string): LinkChange => ({
  ...(body.amount !== undefined && { amount: moneyOf(body.amount, inCurrency) }),
  ...(body.email !== undefined && { email: body.email }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.client_reference !== undefined && { clientReference: body.client_reference }),
  ...(body.return_url !== undefined && { returnUrl: body.return_url }),
  ...(body.expires_at !== undefined && { expiresAt: new Date(body.expires_at) }),
})
