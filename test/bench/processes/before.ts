// Runs the checkout of the second argument under its own name in reports.
import './gengraph.ts';
