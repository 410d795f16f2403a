import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import { notFoundWindowSchema } from '../kit/not-found-window.ts'

/** The README lists the defaults that the provider has not confirmed. */
export const yellowcardCredentials = z.strictObject({
  apiKey: z.string().min(1),
  secretKey: z.string().min(1),
  baseUrl: baseUrlSchema('https://api.yellowcard.io'),
  /** The API renamed its paths; an account may still use the old ones. */
  paths: z
    .strictObject({ receive: z.string().startsWith('/'), send: z.string().startsWith('/') })
    .default({ receive: '/business/receive', send: '/business/send' }),
  markets: z
    .record(z.string().length(2), z.strictObject({ currency: z.string().length(3), types: z.string() }))
    .default({
      NG: { currency: 'NGN', types: 'bank' },
      UG: { currency: 'UGX', types: 'bank momo' },
      ZA: { currency: 'ZAR', types: 'bank' },
    }),
  /** By asset, Yellow Card's name of each network. */
  networks: z.record(z.string(), z.record(z.string(), z.string())).default({
    USDC: { ETHEREUM: 'ERC20', BASE: 'BASE', POLYGON: 'POLYGON', SOLANA: 'SOL', STELLAR: 'XLM' },
    USDT: { ETHEREUM: 'ERC20', TRON: 'TRC20', POLYGON: 'POLYGON' },
  }),
  /** The maximum deviation of Yellow Card's rate from the customer's, in hundredths of a percent. */
  rateToleranceBps: z.int().min(0).max(10_000).default(100),
  /** Required details of payer or payee beside name, phone and e-mail; they depend on the account. */
  knownCustomer: z.record(z.string(), z.string()).default({}),
  notFoundFinalAfterMs: notFoundWindowSchema,
})

export type YellowcardCredentials = z.infer<typeof yellowcardCredentials>
