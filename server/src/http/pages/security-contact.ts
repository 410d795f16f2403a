import type { App } from '../app.ts'

const validForMs = 180 * 24 * 60 * 60_000

interface ContactOptions {
  publicUrl: string
  /** Undefined without `SECURITY_CONTACT`; then the page does not exist. */
  securityContact?: string | undefined
}

/** Tells whoever finds a vulnerability where to report it (RFC 9116). */
export function registerSecurityContact(app: App, { publicUrl, securityContact }: ContactOptions): void {
  if (securityContact === undefined) return
  app.get(
    '/.well-known/security.txt',
    {
      config: { access: { permission: 'public' } },
      schema: { hide: true, summary: 'Name the address to which vulnerabilities are reported' },
    },
    (_request, reply) => {
      const lines = [
        `Contact: ${securityContact}`,
        `Expires: ${new Date(Date.now() + validForMs).toISOString()}`,
        'Preferred-Languages: en',
        `Canonical: ${publicUrl}/.well-known/security.txt`,
      ]
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
    },
  )
}
