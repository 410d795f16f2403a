import { z } from 'zod'

const minuteMs = 60_000

/** The README says which of these are facts that nobody has confirmed. */
export const yellowcardCredentials = z.strictObject({
  apiKey: z.string().min(1),
  secretKey: z.string().min(1),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .default('https://api.yellowcard.io')
    .transform((url) => url.replace(/\/+$/, '')),
  /** The API was renamed; an account may still be on the older words. */
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
  /** Its name of each network that an asset is settled on. */
  networks: z.record(z.string(), z.record(z.string(), z.string())).default({
    USDC: { ETHEREUM: 'ERC20', BASE: 'BASE', POLYGON: 'POLYGON', SOLANA: 'SOL', STELLAR: 'XLM' },
    USDT: { ETHEREUM: 'ERC20', TRON: 'TRC20', POLYGON: 'POLYGON' },
  }),
  /** How far its own rate may be from the one that was agreed with the customer, in hundredths of a percent. */
  rateToleranceBps: z.int().min(0).max(10_000).default(100),
  /** What it wants to know of who pays or is paid, beside name, phone and mail: it depends on the account. */
  knownCustomer: z.record(z.string(), z.string()).default({}),
  notFoundFinalAfterMs: z
    .int()
    .min(minuteMs)
    .default(15 * minuteMs),
})

export type YellowcardCredentials = z.infer<typeof yellowcardCredentials>
