/** The data of a manual notification of `transaction.updated`, byte for byte. */
export function notificationText(amount: string): string {
  return (
    `{"payment_id":"T-1","transaction_id":"T-1","status":"done","previous_status":"processing","amount":${amount},` +
    `"currency":"JPY","target_amount":${amount},"target_currency":"JPY","refunded_amount":0.0,` +
    `"direction":"inbound","payment_method":"mobile_money","provider":"paystack","client_reference":"order-1042",` +
    `"failure":null,"fee_ids":["ID"],"total_fees":15.25,"fees_currency":"NGN","metadata":{"order":"1042"},` +
    `"updated_at":"2026-11-01T10:00:00+01:00","sequence":1,"test":true}`
  )
}
