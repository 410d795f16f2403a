import { constants, createPrivateKey, createPublicKey, privateDecrypt } from 'node:crypto'

/** Generated for the simulator and used nowhere else. */
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.from(
    [
      'MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCj2r+Uv1hy6MA55lHdnWRL36YqvoRsLjky4SrvpxoQNutqo2QH',
      'I7AgxWzdRBlolelGXI5QplOSUTq/0CT6zmKa+T/wS8RSVUloz+IpUb1jqU9OhMtyoa+M96P4y4Ik1e0eGuaKtxWVq5L9XuOc8rM+',
      'kxDUAuUx+ehnb6q5KKoOrkGpsKggAJ/98o7o/LdzQyG+3Xr+EzObRzO8cKZ3LS8SF01nqUZOqGElnGvVNPOv6AnFYd7yXFTKQUnw',
      'JqloJrzGMeg3KQjbxluLJe0HS7xoD1HFPT/5IXiRMlMafpIknu76+1icPfIfSNvAvR1nGgINtgbXMldxEnnH1oGtvMnBAgMBAAEC',
      'ggEAHiRnid2JT9oxQnV0KeiCQtLppoNVqPD35Lw3Qc7jpIf11rAn/og6Jk0rMakNY4fwWdk89OkkBo6a2B5aLyk4Snn/oRzPCLZX',
      'wsg7Oo6m4GaNCEy1gGjt+miz6VjGoDAaZqdcMbhsaBQf/iwugvjCsIgtWFMQBpmKfzyzk0w/vGNWZYWJ4Ah+MgZjWsF1tIzpEree',
      '8+XzJ8MQeCZXFkZxiDr43m+bO4vR+2OMPW0DxBSX0N5C3hCxSlTqVLOaqCgctCfksQvDizBh5bYfXK8GNwCH6Ar2QZ+yAP+8iuNN',
      'RcV4NaP7vBR2j9GF43GPXydM7S3ffeYKrhtyE2oAVibUgQKBgQDeU4OE0KX8J+azcE+iyt1WTHbwpA4tknS8C5MTYDlniPzucC8E',
      'ft8y00A9lm0tl0+oPXupGfnHfs7mN5vJ4lZ/9vbKDLlcP+/wm9qaXCnoEoJ2xKT4SzNBJFtwWOHg2z2mHdiv0uhov2Sh0k8GKQ+Y',
      'aCG4MmzyJOxRul3NE6y0TQKBgQC8rAyI8jZ+lIwq8raVduil6aMmZBujC+rsqm+DMYFJ22VukLGZvUoq8OenrzXTqajyJcDCPTbo',
      'c+o4tVvU6SGBAhhyEEQWzVt9qU5F3kxn/xxsD/4SEl6YlAsW2hPFTxj2EbUPuo0Hf/7x+B/jleTIrlpzbRrUeg4HzQCx4W11RQKB',
      'gGkaRgSVtsJcAp41rBAjoztW7quYgvNcVz9GoYL5bGnbwubdtfyEFfQrFiWHZZm1/HxmhH1OwFxlQF5pT4bDL21TTRv7o+1OdJnk',
      'tBVhGJaTmYWYNP0EX/idvXSBMFdijeRoG7YTGLfcMzClAaLB6pN8NuSjQgm/FtEUL5/xeyXJAoGAdXUm2JryEhuop5Qy1xoP/DpX',
      't67bBcaFmpEAm0xWkQRlQVATQQL3CYSws1QAzqTw6M9YEZTKeiyvxF4jrYj1srr7PQejXA68xp6AfD7IknXf2+aY5edJvPNtc+yQ',
      'ImX7xDWB4yjgY6rrrPgr4iOPKuBgrztdWKoj0fduV09gNYECgYAZNBInEk9KuGqUjEishb75ZMunD9hAwqNLRU0csGD4JY+dCXzK',
      'HZW9pAhTn81IMkRQBdCvST4eZJ46r6v3GYw9Tu9ezOhC9jzI7kgwAyg5SRIXrMGGFlRJlTMH6DZC2DN8kt0sjGQU+rCGq2qZdJxO',
      '8ZHsJpAy9r6Ii7w4ikBTgQ==',
    ].join(''),
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
})

/** Replaces Safaricom's certificate. */
export const SANDBOX_PUBLIC_KEY = createPublicKey(PRIVATE_KEY)
  .export({ type: 'spki', format: 'pem' })
  .toString()

/** Decrypts a `SecurityCredential`: RSA with PKCS#1 v1.5 padding, which is removed here. */
export function openCredential(credential: string): string | undefined {
  try {
    const block = privateDecrypt(
      { key: PRIVATE_KEY, padding: constants.RSA_NO_PADDING },
      Buffer.from(credential, 'base64'),
    )
    const isPadded = block[0] === 0 && block[1] === 2
    return isPadded ? block.subarray(block.indexOf(0, 2) + 1).toString('utf8') : undefined
  } catch {
    return undefined
  }
}
