import { z } from 'zod'

const account = z.object({
  accountNumber: z.string().optional(),
  accountType: z.enum(['bank', 'momo']),
  networkId: z.string(),
  accountName: z.string().optional(),
})

const settlement = z.object({
  walletAddress: z.string().optional(),
  cryptoCurrency: z.enum(['USDC', 'USDT', 'BTC']),
  cryptoNetwork: z.string().min(1),
})

const common = {
  sequenceId: z.string().min(1),
  channelId: z.string().min(1),
  localAmount: z.number().positive(),
  customerUID: z.string().min(1),
  customerType: z.enum(['retail', 'institution']),
  forceAccept: z.literal(true),
  directSettlement: z.literal(true),
  settlementInfo: settlement,
}

export const receiveSchema = z.object({
  ...common,
  recipient: z.record(z.string(), z.unknown()),
  source: account,
})
export const sendSchema = z.object({
  ...common,
  reason: z.string().min(1),
  sender: z.record(z.string(), z.unknown()),
  destination: account.extend({ accountNumber: z.string(), accountName: z.string() }),
})

/** The details of a transaction. */
export const detailsSchema = z.object({
  country: z.string(),
  channelType: z.enum(['bank', 'momo']),
  cryptoCurrency: z.string(),
  cryptoNetwork: z.string(),
  walletAddress: z.string().optional(),
  cryptoAmount: z.string(),
  /** Yellow Card's status, if it differs from the status of the state. */
  status: z.string().optional(),
})
export type Details = z.infer<typeof detailsSchema>
