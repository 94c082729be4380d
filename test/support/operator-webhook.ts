/** The record of a webhook that the operator has set up. */
export const operatorWebhook = {
  id: 'operator_w',
  url: 'https://w.example',
  hasContent: false,
  sealedSecret: '',
  createdAt: 0,
};
