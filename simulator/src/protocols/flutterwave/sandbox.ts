import type { Sandbox } from '../../sandbox.ts'

const secrets = {
  secret_key: 'FLWSECK_TEST-switchyard-sandbox-X',
  public_key: 'FLWPUBK_TEST-switchyard-sandbox-X',
  encryption_key: 'FLWSECK_TESTswitchyard01',
  secret_hash: 'flutterwave-sandbox-hash',
}

export const sandbox = {
  account: { secrets },
  credentials: (providerUrl) => ({
    secretKey: secrets.secret_key,
    secretHash: secrets.secret_hash,
    cardKeys: { publicKey: secrets.public_key, encryptionKey: secrets.encryption_key },
    baseUrl: `${providerUrl}/v3`,
  }),
} satisfies Sandbox
