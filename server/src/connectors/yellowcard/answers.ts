import { z } from 'zod'

/** The parts of Yellow Card's answers that we read. Unknown fields are ignored. */
export const refusalSchema = z.object({ code: z.string().min(1), message: z.string().catch('') })

const text = z.string().min(1)

export const rampSchema = z.object({
  id: text,
  sequenceId: text,
  status: text,
  errorCode: z.string().nullish().catch(null),
  reference: z.string().nullish().catch(null),
  expiresAt: z.iso.datetime({ offset: true }).nullish().catch(null),
  bankInfo: z
    .object({ name: text, accountNumber: text, accountName: z.string().nullish() })
    .nullish()
    .catch(null),
  settlementInfo: z
    .object({
      walletAddress: z.string().nullish(),
      cryptoCurrency: z.string().nullish().catch(null),
      cryptoNetwork: z.string().nullish().catch(null),
      txHash: z.string().nullish(),
    })
    .nullish()
    .catch(null),
})
export type RampAnswer = z.infer<typeof rampSchema>

export const channelsSchema = z.object({
  channels: z.array(
    z.object({
      id: text,
      country: text,
      currency: text,
      channelType: text,
      rampType: text,
      status: z.string().catch('active'),
    }),
  ),
})

export const networksSchema = z.object({
  networks: z.array(
    z.object({
      id: text,
      code: z.string().nullish().catch(null),
      name: text,
      channelIds: z.array(z.string()).catch([]),
    }),
  ),
})

export const ratesSchema = z.object({
  rates: z.array(z.object({ code: text, buy: z.number().positive(), sell: z.number().positive() })),
})

export const eventSchema = rampSchema.extend({ event: text })
