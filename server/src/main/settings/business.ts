import { isAddress, type Address } from 'viem'
import { z } from 'zod'
import { cardPolicies } from '../../domains/people/organizations/record.ts'
import { chainList } from '../../domains/products/ramps/wallet/schema.ts'
import { count, httpUrl, list, oneOf, secrets, setting, text, url } from './kinds.ts'

const api = { usedBy: ['api'] } as const
const both = { usedBy: ['api', 'worker'] } as const

export const secretSettings = {
  SECRET_KEY: setting(
    secrets,
    'the key that wraps the keys of encrypted data and from which those of cursors and links are derived; without it that data is lost. Behind it, separated by commas or lines, older ones that are still accepted ([keys.md](keys.md))',
    { example: 'q0dGmE7fM2hK5tWjz1uYpRnXv8sLcBa4e6iZoDwTg3U=', isSecret: true },
  ),
  API_KEY_PEPPER: setting(
    secrets,
    'what API keys are hashed with; without it every API key is lost. Behind it older ones, as for `SECRET_KEY`',
    {
      example: 'Zk9xT2v5QyLr7nB1cJd8Hs3WfEaUg6Ip0oMqXw4KtRs=',
      isSecret: true,
    },
  ),
  KEY_SERVICE: setting(
    oneOf(['environment', 'file', 'kms']).default('environment'),
    '`file`: the files of `SECRET_KEY_FILE` and `API_KEY_PEPPER_FILE` are read again when they change; `kms`: data keys are wrapped by a KMS instead of `SECRET_KEY` ([keys.md](keys.md))',
  ),
  KEY_ADOPTION_SECONDS: setting(
    count.default(300),
    'how long a new `SECRET_KEY` or `API_KEY_PEPPER` is only accepted before it is used; every process must have it by then',
  ),
  PERSON_KEYS_DIR: setting(
    text.optional(),
    'the directory of the keys that are destroyed when a person is erased, which every process can write and no backup contains; without it nobody can be erased ([privacy.md](privacy.md))',
    { example: '/var/lib/switchyard/person-keys' },
  ),
}

/** A kind without a number of days has no retention limit. */
export const retentionSettings = {
  RETENTION_PAYER_DAYS: setting(
    count.optional(),
    'how many days after a payin or a ramp has ended its payer is erased; without it they are kept ([privacy.md](privacy.md))',
    { example: '1825', usedBy: ['worker'] },
  ),
  RETENTION_BENEFICIARY_DAYS: setting(
    count.optional(),
    'how many days after a payout has ended its recipient is erased, if the beneficiary was removed; without it they are kept',
    { example: '1825', usedBy: ['worker'] },
  ),
  RETENTION_KYB_DAYS: setting(
    count.optional(),
    'how many days after people were named as those behind an organisation they are removed, if it is not verified; without it they are kept',
    { example: '365', usedBy: ['worker'] },
  ),
  RETENTION_SCREENING_DAYS: setting(
    count.default(1825),
    'for how many days nobody is erased after a match with a [sanctions list](sanctions.md) was confirmed',
  ),
  RETENTION_MAIL_DAYS: setting(
    count.optional(),
    'how many days notices, receipts and other mails are kept, in the inbox too; without it they are kept',
    { example: '90', usedBy: ['worker'] },
  ),
  RETENTION_REQUEST_LOG_DAYS: setting(
    count.max(7, 'must be at most 7').default(7),
    'how many days the request log is kept, at most seven',
    { usedBy: ['worker'] },
  ),
}

export const kmsSettings = {
  KMS_KEY_ID: setting(text.optional(), 'the key of the KMS that wraps data keys', {
    example: 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  }),
  KMS_ENDPOINT: setting(
    httpUrl.optional(),
    'the address of the KMS; by default that of AWS in `AWS_REGION`',
    {
      example: 'https://kms.eu-west-1.amazonaws.com',
    },
  ),
  KMS_CACHE_SECONDS: setting(
    count.default(3_600),
    'how long an unwrapped data key stays in memory, and so how long payments go on without the KMS',
  ),
  AWS_REGION: setting(text.optional(), 'the region of the KMS', { example: 'eu-west-1' }),
  AWS_ACCESS_KEY_ID: setting(
    text.optional(),
    'the access key that may use that key; without it the credentials come from the role of the pod, the container or the machine',
    { example: 'AKIAIOSFODNN7EXAMPLE' },
  ),
  AWS_SECRET_ACCESS_KEY: setting(text.optional(), 'the secret of that access key', {
    example: 'SECRET',
    isSecret: true,
  }),
  AWS_SESSION_TOKEN: setting(text.optional(), 'the token of temporary credentials', {
    example: 'TOKEN',
    isSecret: true,
  }),
}

export const webhookSettings = {
  WEBHOOK_EGRESS_PROXY: setting(httpUrl.optional(), 'the proxy through which webhooks leave', {
    ...both,
    example: 'http://egress.internal:3128',
  }),
  WEBHOOK_PORTS: setting(
    list.transform((ports) => ports.map(Number)).default([443, 8443]),
    'the ports to which webhooks may be sent',
    both,
  ),
}

export const paymentSettings = {
  CARDS: setting(
    oneOf(cardPolicies).default('allowed'),
    '`hosted_only`: no organisation may send card numbers to this installation ([pci.md](pci.md))',
    api,
  ),
  RATE_FEED_URL: setting(
    url,
    'the exchange rates: `{ base: "USD", as_of, rates }`, with the units of each currency per dollar as decimal strings',
    { usedBy: ['worker'], example: 'https://rates.example.com/usd.json' },
  ),
  EMPOWERMENT_DAYS: setting(
    count.min(7, 'must be at least 7').default(30),
    'how many days somebody who was given access by one person alone does not count as a second person beside them ([four-eyes.md](four-eyes.md))',
    api,
  ),
  REFUND_OWN_RATE_HOURS: setting(
    count.default(24),
    'for how many hours after its completion an exchanged payin is refunded at its own rate; later the market rate counts ([money.md](money.md#the-price-of-a-refund))',
    api,
  ),
  QUOTE_LIFETIME_SECONDS: setting(
    count.default(900),
    'how long a quoted rate is held. A rate of the feed that is older than this is not quoted, and the feed is read every five minutes',
    api,
  ),
  QUOTE_LIMIT_USD: setting(
    count.default(250_000),
    'what payments may use of one quoted rate, converted from dollars ([money.md](money.md#exchange-rates))',
    api,
  ),
  QUOTE_PAIR_LIMIT_USD: setting(
    count.default(1_000_000),
    'what payments of one organisation may use of all quoted rates of a pair that are valid at the same time',
    api,
  ),
  NAME_CHECKS_PER_DAY: setting(
    count.default(1_000),
    'how many account holders an organisation may look up with `verify_name` within a day',
    api,
  ),
  CARD_BINS: setting(
    z.string().optional(),
    'a CSV table with the columns `bin`, `brand` and `country`, by which routing policies tell issuers apart ([routing.md](routing.md))',
    { ...api, example: 'bin,brand,country' },
  ),
  UK_MODULUS_WEIGHTS: setting(
    z.string().optional(),
    "the text of Vocalink's table of weights; with it, UK account numbers are checked by modulus",
    { ...api, example: '938000 938696 MOD11 7 6 5 4 3 2 7 6 5 4 3 2 0 0' },
  ),
  UK_MODULUS_SUBSTITUTIONS: setting(z.string().default(''), "the text of Vocalink's table of substitutions", {
    ...api,
    example: '938173 938017',
  }),
}

export const kybSettings = {
  SUMSUB_APP_TOKEN: setting(z.string().optional(), 'the token of Sumsub; without it KYB is off', {
    ...both,
    example: 'TOKEN',
    isSecret: true,
  }),
  SUMSUB_SECRET_KEY: setting(z.string().default(''), 'the secret of that token', {
    ...both,
    example: 'SECRET',
    isSecret: true,
  }),
  SUMSUB_WEBHOOK_SECRETS: setting(list.default([]), 'the secrets that may sign its webhooks', {
    ...both,
    example: 'SECRET',
    isSecret: true,
  }),
  SUMSUB_BASE_URL: setting(url.default('https://api.sumsub.com'), 'the address of its API', both),
  SUMSUB_LEVEL: setting(text.default('basic-kyb-level'), 'the level that companies are verified at', both),
  SUMSUB_COMPANY_INFO_IN: setting(
    oneOf(['fixedInfo', 'info']).default('fixedInfo'),
    'where the data of a company is written',
    both,
  ),
}

export const rampSettings = {
  CHAINS: setting(
    z
      .string()
      .transform((value, context) => {
        try {
          return chainList.parse(JSON.parse(value))
        } catch {
          context.addIssue({ code: 'custom', message: 'must be a JSON list of chains, see docs/ramps.md' })
          return z.NEVER
        }
      })
      .default([]),
    'the chains on which we have a wallet, as a JSON list ([ramps.md](ramps.md))',
    { ...both, example: '[]' },
  ),
  WALLET_SEED: setting(text.optional(), 'a seed phrase, for `dev` only', {
    ...both,
    example: 'test test test test test test test test test test test junk',
    isSecret: true,
  }),
  WALLET_SIGNER_URL: setting(url.optional(), 'the signer in front of a KMS or an HSM', {
    ...both,
    example: 'https://signer.internal',
  }),
  WALLET_SIGNER_CA: setting(
    text.optional(),
    'the certificate, in PEM, of the only authority that the signer may have its certificate from; required in production',
    { ...both, example: '-----BEGIN CERTIFICATE-----' },
  ),
  WALLET_SIGNER_CLIENT_CERT: setting(
    text.optional(),
    'the certificate, in PEM, by which the signer knows us; required in production',
    { ...both, example: '-----BEGIN CERTIFICATE-----' },
  ),
  WALLET_SIGNER_CLIENT_KEY: setting(text.optional(), 'the private key of that certificate, in PEM', {
    ...both,
    example: '-----BEGIN PRIVATE KEY-----',
    isSecret: true,
  }),
  WALLET_ADDRESS: setting(
    z
      .custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be an EVM address')
      .optional(),
    'the address that pays the deliveries of ramps',
    { ...both, example: '0x52908400098527886E0F7030069857D2E4169EE7' },
  ),
  WALLET_DEPOSIT_XPUB: setting(
    z.string().startsWith('xpub', 'must start with xpub').optional(),
    'the extended public key from which deposit addresses are derived',
    {
      ...both,
      example:
        'xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz',
    },
  ),
  SCREENER_URL: setting(
    z
      .union(
        [z.literal('none'), httpUrl],
        'must be the https address of your screening service, or `none` to send crypto to addresses that nobody has screened',
      )
      .optional(),
    'the service that screens wallet addresses, or `none`; production needs one of both ([ramps.md](ramps.md#screening))',
    { ...both, example: 'https://screener.example.com/addresses' },
  ),
  SCREENER_TOKEN: setting(text.optional(), 'the bearer token of that service', {
    ...both,
    example: 'TOKEN',
    isSecret: true,
  }),
}
