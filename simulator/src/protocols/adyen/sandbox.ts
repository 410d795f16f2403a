import type { Sandbox } from '../../sandbox.ts'

const secrets = {
  api_key: 'AQE-adyen-sandbox-checkout',
  transfers_api_key: 'AQE-adyen-sandbox-transfers',
  hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  transfers_hmac_key: '51757397D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB',
}
const options = { merchant_account: 'SwitchyardECOM', balance_account: 'BA3227C223222B5CTBLR8BWJB' }

export const sandbox = {
  account: { secrets, options },
  credentials: (providerUrl) => ({
    apiKey: secrets.api_key,
    merchantAccount: options.merchant_account,
    hmacKeys: [secrets.hmac_key],
    checkoutUrl: `${providerUrl}/v72`,
    disputesUrl: `${providerUrl}/ca/services/DisputeService/v30`,
    transfers: {
      apiKey: secrets.transfers_api_key,
      balanceAccountId: options.balance_account,
      hmacKeys: [secrets.transfers_hmac_key],
      baseUrl: `${providerUrl}/btl/v4`,
      accountHolder: 'Switchyard Sandbox B.V.',
      accountsUrl: `${providerUrl}/bcl/v2`,
    },
  }),
} satisfies Sandbox
