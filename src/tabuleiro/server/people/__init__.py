"""People: who they are (`store.py`), how they sign in (`sign_in.py`), what they may do (`permissions.py`), and the
classes that they form (`school_class.py`).

A person is a guest with a row in the table `people`: the guest's number sits in seats, stands in events and lists, and
says nothing about anybody; the names stand in that one table, from which a person can be erased.
"""
