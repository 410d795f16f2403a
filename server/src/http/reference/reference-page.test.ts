import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, startTestBrowser, type TestBrowser } from '../../../test/browser/browser.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { buildServer } from '../server.ts'

const t = useApp()

const policyOf = async (path: string): Promise<string> => {
  const response = await fetch(`${t.url}${path}`)
  await response.text()
  return response.headers.get('content-security-policy') ?? ''
}

describe('the reference page', () => {
  it.each(['/docs/', '/docs/js/scalar.js'])(
    '%s has a policy without inline script and a sandbox',
    async (path) => {
      const policy = await policyOf(path)
      expect(policy).toMatch(/(?:^|; )default-src 'none'; script-src 'nonce-[\w+/=]{24}'; /)
      expect(policy).toMatch(/; sandbox allow-scripts allow-popups$/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('allow-same-origin')
    },
  )

  it('has a new nonce in every response, on every script', async () => {
    const [first, second] = [await fetch(`${t.url}/docs/`), await fetch(`${t.url}/docs/`)]
    const nonceOf = (response: Response): string | undefined =>
      /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
    expect(nonceOf(first)).not.toBe(nonceOf(second))
    const scripts = (await first.text()).match(/<script[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThanOrEqual(3)
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonceOf(first)}"`))).toEqual([])
    await second.text()
  })

  it('leaves the policy of other responses alone', async () => {
    expect(await policyOf('/openapi.json')).toBe('')
  })
})

describe('strict transport security', () => {
  const headerWith = async (publicUrl: string): Promise<unknown> => {
    const app = await buildServer(
      t.deps,
      {
        publicUrl,
        bodyLimitBytes: t.config.BODY_LIMIT_BYTES,
        trustProxy: [],
        rateLimit: { perSecond: 1, burst: 1 },
      },
      () => undefined,
    )
    const { headers } = await app.inject('/openapi.json')
    await app.close()
    return headers['strict-transport-security']
  }

  it('is demanded if the public address is https', async () => {
    expect(await headerWith('https://pay.example.com')).toBe('max-age=31536000')
    expect(await headerWith('http://127.0.0.1:8080')).toBeUndefined()
  })
})

describe.runIf(hasBrowser)('the reference page in a browser', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startTestBrowser()
  })
  afterAll(() => browser.closePages())

  it('renders without an error, and shares nothing with the payment page on the same host', async () => {
    const { page, context } = await browser.open()
    await context.addCookies([{ name: 'link', value: 'secret', url: t.url }])
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`${t.url}/docs/`, { waitUntil: 'commit', timeout: 60_000 })
    await page
      .getByText('One JSON API in front of many payment providers')
      .first()
      .waitFor({ timeout: 60_000 })
    expect(problems).toEqual([])
    expect(await page.evaluate('window.origin')).toBe('null')
    await expect(page.evaluate('document.cookie')).rejects.toThrow('sandboxed')
    await expect(
      page.evaluate((path) => fetch(path).then(({ status }) => status), '/healthz'),
    ).rejects.toThrow('Failed to fetch')
  }, 90_000)
})
