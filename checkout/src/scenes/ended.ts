import { formatAmount } from '../format.ts'
import { fill, html, type Fragment, type Html } from '../html.ts'
import { icon, moment, type PageContext } from '../parts.ts'
import type { Scene } from '../scene.ts'

type SceneOf<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>

interface Ending {
  mark: 'done' | 'failed' | 'clock'
  title: string
  text: Fragment
  more?: Fragment
}

const ending = ({ mark, title, text, more }: Ending): Html =>
  html` <div class="state ${mark}" role="status">
    <span class="mark">${icon(mark)}</span>
    <h2>${title}</h2>
    <p>${text}</p>
    ${more}
  </div>`

export function doneScene({ page, words }: PageContext, scene: SceneOf<'done'>): Html {
  const merchant = page.merchant.name
  const text = scene.amount
    ? fill(words.doneText, { amount: formatAmount(page.language, scene.amount), merchant })
    : words.doneShort
  const reference =
    scene.reference !== undefined &&
    html`<p class="hint">${words.reference}: <bdi>${scene.reference}</bdi></p>`
  return html` ${ending({ mark: 'done', title: words.doneTitle, text, more: reference })}
  ${
    scene.returnUrl === undefined
      ? html`<p class="hint center">${words.doneClose}</p>`
      : html`<a class="primary" href="${scene.returnUrl}" rel="noreferrer" data-return
          >${fill(words.returnTo, { merchant })}</a
        >`
  }`
}

/** Shown only when it is certain that no money was taken; an unknown outcome is still being confirmed. */
export function failedScene({ page, words }: PageContext, scene: SceneOf<'failed'>): Html {
  const merchant = page.merchant.name
  return html` ${ending({
    mark: 'failed',
    title: words.failedTitle,
    text: words.reasons[scene.reason],
    more: html`<p><strong>${words.notCharged}</strong></p>`,
  })}
  ${scene.retryUrl !== undefined && html`<a class="primary" href="${scene.retryUrl}">${words.tryAgain}</a>`}
  ${
    scene.returnUrl !== undefined &&
    html`<a class="quiet" href="${scene.returnUrl}" rel="noreferrer"
      >${fill(words.returnTo, { merchant })}</a
    >`
  }`
}

export const expiredScene = ({ page, words }: PageContext, scene: SceneOf<'expired'>): Html =>
  ending({
    mark: 'clock',
    title: words.expiredTitle,
    text: fill(words.expiredText, {
      time: moment(page.language, scene.at),
      merchant: page.merchant.name,
    }),
    more: html`<p><strong>${words.notCharged}</strong></p>`,
  })

type Plain = 'canceled' | 'none' | 'missing' | 'busy' | 'trouble'

export function plainScene({ page, words }: PageContext, kind: Plain): Html {
  const text = fill(words[`${kind}Text`], { merchant: page.merchant.name })
  return ending({ mark: kind === 'busy' ? 'clock' : 'failed', title: words[`${kind}Title`], text })
}
