import { useEffect, useRef, type ReactElement } from 'react'
import checkoutStyles from '@switchyard/checkout/checkout.css?inline'
import { accentOf } from '@switchyard/checkout/color.ts'
import { renderPage } from '@switchyard/checkout/render-page.ts'
import type { Choice, Page } from '@switchyard/checkout/scene.ts'
import { branding as text } from '../../messages/generated/texts.ts'
import styles from './settings.module.css'

interface PagePreviewProps {
  name: string
  color: string
  logoUrl: string | undefined
}

/**
 * The hosted payment page as its own code renders it, in a shadow root: its styles and those of the dashboard do not
 * mix, and style sheets that script builds are allowed by the content security policy. It is inert.
 */
export function PagePreview({ name, color, logoUrl }: PagePreviewProps): ReactElement {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheetOf(accentStyles(color)), pageSheet]
    const page = new DOMParser().parseFromString(renderPage(samplePage(name, logoUrl), noAssets), 'text/html')
    const body = document.createElement('div')
    body.className = 'body'
    body.append(...page.body.childNodes)
    root.replaceChildren(body)
  }, [name, color, logoUrl])
  return (
    <div className={styles.preview} role="img" aria-label={text.preview}>
      <div ref={host} inert />
    </div>
  )
}

const noAssets = { stylesheet: '', script: '' }

function sheetOf(source: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(source)
  return sheet
}

/** In a shadow root, the host takes the role of the root element, and our own element that of the body. */
const pageSheet = sheetOf(
  `${checkoutStyles
    .replaceAll(':root', ':host')
    .replaceAll(/^html\b/gm, ':host')
    .replaceAll(/^body\b/gm, '.body')}\n.body { min-height: 0; }`,
)

function accentStyles(color: string): string {
  const { accent, onAccent, textOnLight, textOnDark } = accentOf(color)
  return `:host{--accent:${accent};--on-accent:${onAccent};--accent-light:${textOnLight};--accent-dark:${textOnDark}}`
}

const choice: Choice = {
  kind: 'choose',
  csrf: '',
  version: 1,
  rateId: undefined,
  openAmount: undefined,
  asksEmail: true,
  methods: [
    { method: 'mobile_money', takesCard: false },
    { method: 'card', takesCard: false },
    { method: 'bank_transfer', takesCard: false },
  ],
  networks: [{ value: 'MPESA', name: 'M-Pesa', prefixes: '' }],
  callingCode: '+254',
  country: 'KE',
  countries: ['KE'],
  selected: 'mobile_money',
  values: {},
  invalid: [],
  missing: [],
  notice: undefined,
  qrUrl: undefined,
  live: { eventsUrl: '', statusUrl: '', state: '' },
}

const samplePage = (name: string, logoUrl: string | undefined): Page => ({
  language: 'en',
  merchant: { name, logoUrl, color: null },
  path: '',
  request: {
    description: text.invoice,
    amount: { value: '12500.00', currency: 'KES' },
    exchange: undefined,
    payBy: undefined,
  },
  scene: choice,
})
