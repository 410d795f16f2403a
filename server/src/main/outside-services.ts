import { createAgent, createHttpClient, type HttpClient } from '../connectors/kit/http-client.ts'
import type { KybProvider } from '../connectors/kit/kyb-provider.ts'
import { createSumsub } from '../connectors/sumsub/provider.ts'
import type { Screener } from '../domains/products/ramps/screening/record.ts'
import { noScreener } from '../domains/products/ramps/screening/screen-address.ts'
import { createHttpScreener } from '../domains/products/ramps/screening/verify-address.ts'
import type { Clock } from '../lib/clock.ts'
import {
  createLocalSigner,
  createRemoteSigner,
  type Signer,
} from '../domains/products/ramps/wallet/sign-transfer.ts'
import type { Config } from './config.ts'

/** Production does not start without this setting, so `none` there is a decision of the operator. */
export const createScreener = (config: Config, http: HttpClient): Screener =>
  config.SCREENER_URL === 'none'
    ? noScreener
    : createHttpScreener(http, { url: config.SCREENER_URL, token: config.SCREENER_TOKEN })

/** Undefined without certificates, which production requires. */
function signerClient(config: Config): HttpClient | undefined {
  const { WALLET_SIGNER_CA: ca, WALLET_SIGNER_CLIENT_CERT: cert, WALLET_SIGNER_CLIENT_KEY: key } = config
  if (ca === undefined || cert === undefined || key === undefined) return undefined
  return createHttpClient(createAgent(undefined, { ca, cert, key }))
}

/** In production a remote signer keeps the keys in a KMS or an HSM. A seed phrase is for development only. */
export function createSigner(config: Config, http: HttpClient): Signer | undefined {
  const { WALLET_SIGNER_URL: url, WALLET_ADDRESS: address, WALLET_DEPOSIT_XPUB: depositXpub } = config
  if (url !== undefined && address !== undefined && depositXpub !== undefined)
    return createRemoteSigner({ url, address, depositXpub }, signerClient(config) ?? http)
  return config.WALLET_SEED === undefined ? undefined : createLocalSigner(config.WALLET_SEED)
}

const kybLinkLifetimeSeconds = 24 * 60 * 60

/** Without a token KYB is off, and its endpoints answer with an error. */
export function createKyb(config: Config, http: HttpClient, clock: Clock): KybProvider | undefined {
  if (config.SUMSUB_APP_TOKEN === undefined) return undefined
  const options = {
    baseUrl: config.SUMSUB_BASE_URL,
    appToken: config.SUMSUB_APP_TOKEN,
    secretKey: config.SUMSUB_SECRET_KEY,
    webhookSecrets: config.SUMSUB_WEBHOOK_SECRETS,
    levelName: config.SUMSUB_LEVEL,
    companyInfoIn: config.SUMSUB_COMPANY_INFO_IN,
    linkLifetimeSeconds: kybLinkLifetimeSeconds,
  }
  return createSumsub(options, http, clock)
}
