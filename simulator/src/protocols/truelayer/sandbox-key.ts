import { createPrivateKey, createPublicKey } from 'node:crypto'

/** Generated for the simulator and used nowhere else. */
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.from(
    [
      'MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIB6U/ZPDyhR2Oguqmfy7tfEeO/MOgmZzTciNupQl2SF1tN9ws6/GW+',
      'W/U8UbhzEIhEDscq+LaV65osMQ7XZrrr1B+hgYkDgYYABAGWITK/arJoVbCDjmmfGvKB0NO9krt6bwZwMt1/Hft5UBxAzlCOEckI',
      'HlaAoPpvLm8qDOmoa+5PFDH+Sge9aqBxSAFixAl9fQSWiDAdIFpthVqW1ORviKZuon0naVCJG2Q8BWilHXSbcqcrbbgRnOHboUj2',
      'yTdeglU2IKukOtDztTQqmA==',
    ].join(''),
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
})

/** The key with which the sandbox client signs its requests, and its id. */
export const SANDBOX_SIGNING_KEY = PRIVATE_KEY.export({ type: 'pkcs8', format: 'pem' }).toString()
export const SANDBOX_KEY_ID = 'f1a0c3de-5f2c-4a6b-9d1e-7b3c2a1d4e5f'

export const SANDBOX_PUBLIC_KEY = createPublicKey(PRIVATE_KEY)
  .export({ type: 'spki', format: 'pem' })
  .toString()
