import { formatAmount, formatCountry } from '../format.ts'
import { fill, fillText, html, type Fragment, type Html } from '../html.ts'
import { networkMark } from '../marks.ts'
import {
  amountText,
  describedBy,
  errorSummary,
  errorText,
  field,
  hidden,
  icon,
  notice,
  payButton,
  type PageContext,
} from '../parts.ts'
import type { Choice, Field, MethodName } from '../scene.ts'

/** The page's only form. Its fields depend on the payment method, and it works without JavaScript. */
export function chooseScene(context: PageContext, choice: Choice): Html {
  const { page, words } = context
  return html` ${choice.notice && choice.notice !== 'noticeFields' && notice(words[choice.notice])}
    ${errorSummary(words.noticeFields, errorsOf(context, choice))} ${countryForm(context, choice)}
    <form method="post" action="${page.path}" novalidate data-pay autocomplete="on">
      ${hidden({
        csrf: choice.csrf,
        version: String(choice.version),
        rate: choice.rateId,
        country: choice.country,
      })}
      ${choice.openAmount && amountField(context, choice, choice.openAmount.currency)}
      ${methods(context, choice)} ${choice.asksEmail && emailField(context, choice)}
      ${payButton(context, payLabel(context))}
    </form>`
}

const payLabel = (context: PageContext): Html =>
  context.page.request?.amount
    ? fill(context.words.pay, { amount: amountText(context, context.page.request.amount) })
    : html`${context.words.continue}`

/** Every field that can be invalid, in the order of the form. */
function errorsOf(
  context: PageContext,
  choice: Choice,
): { name: Field; error: Fragment; isInvalid: boolean }[] {
  const { words } = context
  const cardNumber = choice.missing.includes('card_number')
    ? words.missingCardNumber
    : words.invalidCardNumber
  const takesCard = choice.methods.some((method) => method.takesCard)
  const takesPhone = choice.methods.some(({ method }) => method === 'mobile_money')
  const errors: [name: Field, error: Fragment, isAsked: boolean][] = [
    ['amount', amountError(context, choice.openAmount?.currency ?? ''), choice.openAmount !== undefined],
    ['card_number', cardNumber, takesCard],
    ['expiry', words.invalidExpiry, takesCard],
    ['cvc', words.invalidCvc, takesCard],
    ['phone', words.invalidPhone, takesPhone],
    ['network', words.invalidNetwork, takesPhone],
    ['email', words.invalidEmail, choice.asksEmail],
  ]
  return errors.flatMap(([name, error, isAsked]) =>
    isAsked ? [{ name, error, isInvalid: isInvalid(choice, name) }] : [],
  )
}

function countryForm({ page, words }: PageContext, choice: Choice): Html | false {
  if (choice.countries.length < 2) return false
  const options = choice.countries
    .map((country) => ({ country, name: formatCountry(page.language, country) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, page.language))
  return html` <form method="get" action="${page.path}" class="country" data-country>
    <label for="country">${words.country}</label>
    <select id="country" name="country" autocomplete="country">
      ${options.map(
        ({ country, name }) =>
          html`<option value="${country}" ${country === choice.country && html`selected`}>${name}</option>`,
      )}
    </select>
    <button class="quiet">${words.change}</button>
  </form>`
}

const isInvalid = (choice: Choice, name: Field): boolean => choice.invalid.includes(name)

const amountError = ({ page, words }: PageContext, currency: string): Fragment =>
  currency === ''
    ? ''
    : fill(words.invalidAmount, {
        example: formatAmount(page.language, { value: '25', currency }, page.country),
      })

const amountField = (context: PageContext, choice: Choice, currency: string): Html =>
  field({
    name: 'amount',
    label: fill(context.words.amount, { currency }),
    error: amountError(context, currency),
    isInvalid: isInvalid(choice, 'amount'),
    attributes: html`inputmode="decimal" autocomplete="transaction-amount" maxlength="20"
    value="${choice.values.amount}" data-check="amount"`,
  })

const emailField = ({ page, words }: PageContext, choice: Choice): Html =>
  field({
    name: 'email',
    label: words.email,
    hint: fill(words.emailHint, { merchant: page.merchant.name }),
    error: words.invalidEmail,
    isInvalid: isInvalid(choice, 'email'),
    attributes: html`type="email" inputmode="email" autocomplete="email" maxlength="320"
    value="${choice.values.email}" data-check="email"`,
  })

function methods(context: PageContext, choice: Choice): Html {
  const { words } = context
  const [only] = choice.methods
  if (choice.methods.length === 1 && only)
    return html` <fieldset class="methods only">
      <legend>${icon(only.method)} ${labelOf(context, only.method)}</legend>
      <input type="hidden" name="method" value="${only.method}" />
      <div class="fields">${fieldsOf(context, choice, only)}</div>
    </fieldset>`
  return html` <fieldset class="methods">
    <legend>${words.method}</legend>
    ${choice.methods.map((offered) => methodOption(context, choice, offered))}
  </fieldset>`
}

const methodOption = (context: PageContext, choice: Choice, offered: Choice['methods'][number]): Html =>
  html` <div class="method">
    <input
      type="radio"
      id="method-${offered.method}"
      name="method"
      value="${offered.method}"
      ${offered.method === choice.selected && html`checked`}
    />
    <label for="method-${offered.method}"
      >${icon(offered.method)}
      <span class="name">${labelOf(context, offered.method)}</span> ${marksOf(choice, offered.method)}</label
    >
    <div class="fields">${fieldsOf(context, choice, offered)}</div>
  </div>`

const marksLimit = 3

const marksOf = (choice: Choice, method: MethodName): Html | false =>
  method === 'mobile_money' &&
  html`<span class="badges"
    >${choice.networks.slice(0, marksLimit).map(({ value, name }) => networkMark(value, name))}</span
  >`

const labelOf = ({ words }: PageContext, method: MethodName): string =>
  ({ card: words.card, mobile_money: words.mobileMoney, bank_transfer: words.bankTransfer })[method]

function fieldsOf(
  context: PageContext,
  choice: Choice,
  { method, takesCard }: Choice['methods'][number],
): Html {
  const { words } = context
  switch (method) {
    case 'card':
      return takesCard ? cardFields(context, choice) : html`<p class="hint">${words.cardElsewhere}</p>`
    case 'mobile_money':
      return mobileMoneyFields(context, choice)
    case 'bank_transfer':
      return html`<p class="hint">${words.transferHint}</p>`
  }
}

/** These fields are never prefilled: what a payer enters here goes to the provider and nowhere else. */
const cardFields = ({ words }: PageContext, choice: Choice): Html =>
  html` ${field({
      name: 'card_number',
      label: words.cardNumber,
      error: words.invalidCardNumber,
      missing: { error: words.missingCardNumber, isMissing: choice.missing.includes('card_number') },
      mark: html`<span class="brand" role="status" data-card-brand=""></span>`,
      isInvalid: isInvalid(choice, 'card_number'),
      attributes: html`inputmode="numeric" autocomplete="cc-number" maxlength="23" dir="ltr" data-check="card"`,
    })}
    <div class="pair">
      ${field({
        name: 'expiry',
        label: words.expiry,
        error: words.invalidExpiry,
        isInvalid: isInvalid(choice, 'expiry'),
        attributes: html`inputmode="numeric" autocomplete="cc-exp" placeholder="${words.expiryHint}"
        maxlength="7" dir="ltr" data-check="expiry"`,
      })}
      ${field({
        name: 'cvc',
        label: words.cvc,
        error: words.invalidCvc,
        isInvalid: isInvalid(choice, 'cvc'),
        attributes: html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" dir="ltr" data-check="cvc"`,
      })}
    </div>`

const mobileMoneyFields = (context: PageContext, choice: Choice): Html =>
  html` ${field({
    name: 'phone',
    label: context.words.phone,
    hint: context.words.phoneHint,
    error: context.words.invalidPhone,
    isInvalid: isInvalid(choice, 'phone'),
    prefix: choice.callingCode,
    attributes: html`type="tel" inputmode="tel" autocomplete="tel" maxlength="30" dir="ltr"
    value="${choice.values.phone}" data-check="phone" data-phone`,
  })}
  ${networkField(context, choice)}`

/** The number's prefix suggests a network. Without JavaScript, the server derives it if the payer chooses none. */
function networkField({ words }: PageContext, choice: Choice): Html {
  const chosen = choice.networks.length === 1 ? choice.networks[0]?.value : choice.values.network
  return html` <div class="field">
    <label for="network">${words.network}</label>
    <select
      id="network"
      name="network"
      data-check="network"
      data-network
      ${describedBy('network', ['suggestion'], isInvalid(choice, 'network'))}
    >
      ${choice.networks.length > 1 && html`<option value="">${words.chooseNetwork}</option>`}
      ${choice.networks.map(
        ({ value, name, prefixes }) =>
          html`<option value="${value}" data-prefixes="${prefixes}" ${value === chosen && html`selected`}>
            ${name}
          </option>`,
      )}
    </select>
    <p class="hint" id="network-suggestion" role="status" data-suggestion="${words.networkTold}"></p>
    ${errorText('network', words.invalidNetwork, isInvalid(choice, 'network'))}
  </div>`
}

export const chooseTitle = ({ page, words }: PageContext): string =>
  fillText(words.title, { merchant: page.merchant.name })
