import { z } from 'zod'
import { html, type Answer } from './answer.ts'
import type { OpenCall } from './call.ts'

export interface PageField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly inputMode?: 'numeric' | 'text' | 'email' | 'tel'
  readonly autocomplete?: string
}

interface PageButton {
  readonly value: string
  readonly label: string
}

interface HostedPage {
  readonly title: string
  /** Shown as a description list, such as merchant, amount and reference. */
  readonly facts: readonly (readonly [term: string, value: string])[]
  readonly fields?: readonly PageField[]
  /** Each posts the form with `decision` set to its value. An informational page has none. */
  readonly buttons: readonly PageButton[]
  /** The error of the last attempt. */
  readonly problem?: string
}

export const PAY: PageButton = { value: 'pay', label: 'Pay' }
export const DECLINE: PageButton = { value: 'decline', label: 'Decline' }
export const CANCEL: PageButton = { value: 'cancel', label: 'Cancel and go back' }

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 28rem; margin: 2rem auto; padding: 0 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { font-weight: 600 } dd { margin: 0; overflow-wrap: anywhere }
label { display: block; margin-top: 1rem; font-weight: 600 }
input, button { font: inherit; box-sizing: border-box; width: 100%; padding: .6rem; margin-top: .5rem }
.note { border-inline-start: .25rem solid; padding-inline-start: .75rem }`

/** A page without scripts whose form posts to the same URL. */
export function renderPage(page: HostedPage, status = 200): Answer {
  const facts = page.facts.map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`)
  const problem =
    page.problem === undefined ? '' : `<p class="note" role="alert">${escapeHtml(page.problem)}</p>`
  const form =
    page.buttons.length === 0
      ? ''
      : `<form method="post">${(page.fields ?? []).map(renderField).join('')}${page.buttons.map(renderButton).join('')}</form>`
  return html(
    status,
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><main>
<p class="note">Switchyard simulator: no money moves here.</p>
<h1>${escapeHtml(page.title)}</h1>
<dl>${facts.join('')}</dl>
${problem}
${form}
</main></body>
</html>
`,
  )
}

const decisionSchema = z.looseObject({ decision: z.string() })

/** The value of the pressed button. */
export function decisionOf(call: OpenCall): string | undefined {
  const form = decisionSchema.safeParse(call.payload)
  return form.success ? form.data.decision : undefined
}

/** The return URL with additional query parameters. Undefined if it is not an HTTP URL. */
export function returnUrl(base: string, query: Readonly<Record<string, string>> = {}): string | undefined {
  if (!URL.canParse(base)) return undefined
  const url = new URL(base)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

function renderField(field: PageField): string {
  const name = escapeHtml(field.name)
  const hint = field.hint === undefined ? '' : `<small id="${name}-hint">${escapeHtml(field.hint)}</small>`
  const described = field.hint === undefined ? '' : ` aria-describedby="${name}-hint"`
  const autocomplete = escapeHtml(field.autocomplete ?? 'off')
  return `<label for="${name}">${escapeHtml(field.label)}</label>${hint}<input id="${name}" name="${name}" inputmode="${field.inputMode ?? 'text'}" autocomplete="${autocomplete}"${described}>`
}

function renderButton(button: PageButton): string {
  return `<button name="decision" value="${escapeHtml(button.value)}">${escapeHtml(button.label)}</button>`
}
