"""Tools that every noun of the wire uses: decoding, envelopes, kinds of fields, what is not served."""
